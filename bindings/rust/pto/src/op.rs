//! What the library knows about its instructions, where C returns plain integers.

use std::ffi::CString;

use crate::{sys, Extent, Flags, Op, Role};

impl Op {
    /// All instructions, in the order of their names.
    pub fn all() -> impl Iterator<Item = Op> {
        // SAFETY: no precondition; every index below the count has an id.
        let count = unsafe { sys::pto_op_count() };
        (0..count).map(|index| Op::from_raw(unsafe { sys::pto_op_at(index) } as u32))
    }

    /// The instruction with a mnemonic, such as `tpow`.
    pub fn find(name: &str) -> Option<Op> {
        let name = CString::new(name).ok()?;
        // SAFETY: the name outlives the call.
        let id = unsafe { sys::pto_op_find(name.as_ptr()) };
        (id >= 0).then(|| Op::from_raw(id as u32))
    }

    /// What an operand is for; `None` when there is no such operand.
    pub fn operand_role(self, index: i32) -> Option<Role> {
        // SAFETY: the library accepts any id and index.
        let role = unsafe { sys::pto_op_operand_role(self.raw() as i32, index) };
        (role >= 0).then(|| Role::from_raw(role as u32))
    }

    /// Which elements of a tile operand go with the valid region of the lead operand; `None` when
    /// the operand is not a tile, or tmp.
    pub fn operand_extent(self, index: i32) -> Option<Extent> {
        // SAFETY: the library accepts any id and index.
        let extent = unsafe { sys::pto_op_operand_extent(self.raw() as i32, index) };
        (extent >= 0).then(|| Extent::from_raw(extent as u32))
    }

    /// The flags that the instruction takes, or-ed together.
    pub fn flags(self) -> Flags {
        // SAFETY: the library accepts any id.
        Flags::from_raw(unsafe { sys::pto_op_flags(self.raw() as i32) } as u32)
    }
}
