//! Raw bindings of libpto, the PTO tile instruction set on any CPU.
//!
//! Every item has the name and the contract of its C counterpart, which `pto_c.h` and `pto_c_ops.h` document.
//! Enums are transparent integers with constants: a value that a newer library returns is no undefined behaviour.
#![no_std]

#[rustfmt::skip]
mod bindings;
pub use bindings::*;
