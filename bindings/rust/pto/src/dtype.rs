//! Element types as text: `f32`, as PTO-AS and the library write them.

use core::fmt;
use core::str::FromStr;

use crate::DType;

impl DType {
    /// Every element type that the library has.
    pub fn all() -> impl Iterator<Item = DType> {
        // Their values follow each other, and other values have no size.
        (0..).map(DType::from_raw).take_while(|dtype| dtype.bytes() > 0)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A string that does not name an element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDTypeError {
    text: String,
}

impl fmt::Display for ParseDTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = DType::all().map(|dtype| dtype.name()).collect();
        write!(f, "no element type is called {:?}; there are {}", self.text, names.join(" "))
    }
}

impl core::error::Error for ParseDTypeError {}

/// Reads what `Display` writes, in capitals or not.
///
/// ```
/// use pto::DType;
///
/// assert_eq!("bf16".parse(), Ok(DType::BF16));
/// assert_eq!(DType::BF16.to_string(), "bf16");
/// assert!("f64".parse::<DType>().unwrap_err().to_string().starts_with("no element type is called \"f64\"; there are i8 u8 "));
/// assert!(DType::all().all(|dtype| dtype.to_string().to_uppercase().parse() == Ok(dtype)));
/// ```
impl FromStr for DType {
    type Err = ParseDTypeError;

    fn from_str(text: &str) -> Result<Self, ParseDTypeError> {
        DType::all().find(|dtype| dtype.name().eq_ignore_ascii_case(text)).ok_or_else(|| ParseDTypeError { text: text.into() })
    }
}
