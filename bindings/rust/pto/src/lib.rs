//! The PTO tile instruction set on any CPU.
//!
//! A [`Context`] holds a profile (whose rules apply), a SIMD target and the on-chip memory.
//! A [`Tile`] is a two-dimensional typed buffer. Its prefix rectangle, the valid region,
//! holds data. Instructions are methods of the context:
//!
//! ```
//! use pto::{Context, DType, Flags, Profile};
//!
//! # fn main() -> pto::Result<()> {
//! let ctx = Context::new(Profile::CPU)?;
//! let base = ctx.tile(DType::F32, 2, 2)?;
//! let exp = ctx.tile(DType::F32, 2, 2)?;
//! base.write(&ctx, &[1.0f32, 2.0, 3.0, 4.0])?;
//! exp.write(&ctx, &[2.0f32, 3.0, 2.0, 0.5])?;
//! ctx.tpow(&base, &base, &exp, None, Flags::NONE)?; // in place
//! assert_eq!(base.to_vec::<f32>(&ctx)?, [1.0, 8.0, 9.0, 2.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! Every failed call returns an [`Error`] with the class, the id of the rule, the operand, one
//! line of text with the values in it and a remedy. A call that fails changes no tile.
//!
//! # Threads
//!
//! A [`Context`] is `Send` but not `Sync`: it keeps the text of the last error, so one thread at a
//! time uses it. A [`Tile`] is `Send` but not `Sync`: instructions write through `&Tile`, so that
//! one tile can be an input and the output of a call, as the instruction set allows. That is sound
//! because no Rust reference to a tile's elements exists while an instruction can run: data is
//! copied in and out, and a wrapped slice stays mutably borrowed as long as its tile lives.
//! Tiles that share memory must share their thread as well; that is what the types ensure:
//!
//! * A [`Tile`] that owns its memory is the only one with that memory and may move anywhere.
//! * A [`FrozenTile`] is `Sync`: nothing writes it, and any number of threads read it.
//! * An [`OnChipTile`] may overlap others of its context. It borrows the context, so neither can
//!   leave the thread as long as the tile lives.
//! * A [`WrappedTile`] owns the caller's slice, mutably, until it is dropped.
//! * A [`TileView`] borrows the tile it looks into.
//! * An [`Inst`] borrows the tiles it is set to, so they cannot move while it may run.
//! * A [`Program`] borrows what is bound to it, and the contexts it runs in.
//!
//! A [`Tensor`] and its views follow the same rules. Tiles and tensors belong to no context: any
//! context may compute on any tile of its thread.

mod context;
mod dtype;
mod error;
mod frozen;
mod inst;
mod op;
#[rustfmt::skip]
mod ops;
mod program;
mod results;
mod scalar;
mod stop;
mod tensor;
mod tile;
#[rustfmt::skip]
mod types;
#[rustfmt::skip]
mod words;
mod world;

pub use context::{live_handles, targets, version, Context, Target};
pub use dtype::ParseDTypeError;
pub use error::{Error, Result};
pub use frozen::FrozenTile;
pub use inst::Inst;
#[allow(unused_imports)] // handles that need no hand, if there are any
pub use ops::*;
pub use program::Program;
pub use pto_sys as sys;
pub use results::{Arg, Diagnostic};
pub use scalar::Scalar;
pub use stop::StopHandle;
pub use tensor::{Tensor, TensorBuilder, TensorView, WrappedTensor};
pub use tile::{
    Element, Float4E1M2x2, Float4E2M1x2, Float8E4M3, Float8E5M2, Float8E8M0, HiFloat8, Int4x2, OnChipTile, Tile, TileBuilder,
    TileView, WrappedTile,
};
pub use types::*;
pub use world::{Group, World};

/// The example of the README is a test, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

use core::ffi::{c_char, CStr};
use std::ffi::CString;

/// A name as C takes it; one with a NUL inside becomes one that nothing has.
fn c_text(name: &str) -> CString {
    CString::new(name).unwrap_or_else(|_| CString::from(c"?"))
}

/// A string of the library's that is never NULL and lives at least as long as 'a.
fn text<'a>(raw: *const c_char) -> &'a str {
    text_or_none(raw).unwrap_or("")
}

fn text_or_none<'a>(raw: *const c_char) -> Option<&'a str> {
    // SAFETY: the header promises NULL or a C string; callers bind 'a to what keeps it alive.
    (!raw.is_null()).then(|| unsafe { CStr::from_ptr(raw) }.to_str().unwrap_or("?"))
}
