//! The error of a failed call.

use crate::words::WORDS;
use crate::{sys, text, Context, DType, Status};

/// The outcome of a call.
pub type Result<T> = core::result::Result<T, Error>;

/// A failed call: its category, the broken rule, and how to fix it.
///
/// One pointer wide, so that `Result<()>` travels in a register.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Details>);

#[derive(Clone, PartialEq, Eq)]
struct Details {
    status: Status,
    rule: String,
    operand: String,
    message: String,
    remedy: String,
}

impl Error {
    /// Copies what the context keeps of the call that has just failed.
    #[cold]
    pub(crate) fn of(ctx: &Context) -> Self {
        let ptr = ctx.as_ptr();
        // SAFETY: the context is alive, and no other call can come between: it is not Sync.
        unsafe {
            Self(Box::new(Details {
                status: Status(sys::pto_context_error(ptr)),
                rule: text(sys::pto_context_error_rule(ptr)).to_owned(),
                operand: text(sys::pto_context_error_operand(ptr)).to_owned(),
                message: in_rust(text(sys::pto_context_error_message(ptr))),
                remedy: in_rust(text(sys::pto_context_error_remedy(ptr))),
            }))
        }
    }

    /// An error that no context can keep: no context exists yet, or the fault is in this crate's types.
    #[cold]
    pub(crate) fn own(status: Status, rule: &str, operand: &str, message: String, remedy: &str) -> Self {
        Self(Box::new(Details {
            status,
            rule: rule.to_owned(),
            operand: operand.to_owned(),
            message,
            remedy: remedy.to_owned(),
        }))
    }

    /// Elements of one type for something that holds another.
    #[cold]
    pub(crate) fn element(call: &str, what: &str, given: DType, holds: DType) -> Self {
        let message = format!("{call}: elements of {} where the {what} holds {}", given.name(), holds.name());
        Self::own(Status::DTYPE, "element-type", "dtype", message, "Pass elements of that type.")
    }

    /// The category of the error.
    pub fn status(&self) -> Status {
        self.0.status
    }

    /// The id of the rule that was broken, such as `valid-equal`.
    pub fn rule(&self) -> &str {
        &self.0.rule
    }

    /// The operand or parameter at fault, such as `exp`; empty if the error has no operand.
    pub fn operand(&self) -> &str {
        &self.0.operand
    }

    /// One line that contains the offending values.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// One sentence that describes how to fix the call.
    pub fn remedy(&self) -> &str {
        &self.0.remedy
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} [{}]", self.message(), self.rule())
    }
}

impl core::fmt::Debug for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Error")
            .field("status", &self.status())
            .field("rule", &self.rule())
            .field("operand", &self.operand())
            .field("message", &self.message())
            .field("remedy", &self.remedy())
            .finish()
    }
}

impl std::error::Error for Error {}

/// A message of the library with Rust's names in place of C's.
fn in_rust(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if name == 0 {
            let other = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_').unwrap_or(rest.len());
            out.push_str(&rest[..other]);
            rest = &rest[other..];
            continue;
        }
        match WORDS.binary_search_by_key(&&rest[..name], |(c, _)| c) {
            Ok(at) => {
                out.push_str(WORDS[at].1);
                rest = rest[name..].strip_prefix("()").unwrap_or(&rest[name..]);
            }
            Err(_) => {
                out.push_str(&rest[..name]);
                rest = &rest[name..];
            }
        }
    }
    out
}
