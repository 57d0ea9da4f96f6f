//! Numbers that are converted to elements.

use crate::sys;
use half::{bf16, f16};

/// A number that is converted to an element; every integer and float becomes one by [`Into`].
///
/// For an integer element it must be an integer in range (2.0 is, 2.5 is not); for a float it is
/// rounded once, to nearest with ties to even, and a NaN becomes the canonical one.
/// [`Scalar::from_bits`] reaches everything else. 64-bit integers arrive as they are.
///
/// ```
/// # use pto::{Context, DType, Flags, Profile};
/// # fn main() -> pto::Result<()> {
/// let ctx = Context::new(Profile::CPU)?;
/// let (dst, src) = (ctx.tile(DType::I32, 1, 2)?, ctx.tile(DType::I32, 1, 2)?);
/// src.write(&ctx, &[1, 2])?;
/// ctx.tadds(&dst, &src, 40, Flags::NONE)?;
/// assert_eq!(dst.to_vec::<i32>(&ctx)?, [41, 42]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scalar(pub(crate) sys::pto_scalar);

impl Scalar {
    /// The bits of an element, for instance of a NaN with a payload; those above must be 0.
    pub const fn from_bits(bits: u64) -> Self {
        Self::new(bits, sys::PTO_SCALAR_BITS)
    }

    const fn new(bits: u64, kind: sys::pto_scalar_kind) -> Self {
        Self(sys::pto_scalar { bits, kind: kind.0 as i32, reserved: 0 })
    }
}

macro_rules! from {
    ($($types:ty)*, $x:ident => $bits:expr, $kind:ident) => {
        $(impl From<$types> for Scalar {
            #[inline]
            fn from($x: $types) -> Self {
                Self::new($bits, sys::$kind)
            }
        })*
    };
}
from!(i8 i16 i32 i64 isize, x => x as i64 as u64, PTO_SCALAR_INT);
from!(u8 u16 u32 u64 usize, x => x as u64, PTO_SCALAR_UINT);
from!(f64, x => x.to_bits(), PTO_SCALAR_FLOAT);
from!(f32 f16 bf16, x => f64::from(x).to_bits(), PTO_SCALAR_FLOAT);
