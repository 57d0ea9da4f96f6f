//! Raw bindings of libpto, the PTO tile instruction set on any CPU.
//!
//! Every item has the name and the contract of its C counterpart, which `pto_c.h` and `pto_c_ops.h` document.
//! Enums are transparent integers with constants: a new value from a newer library is not undefined behaviour.
#![no_std]

#[rustfmt::skip]
mod bindings;
pub use bindings::*;
