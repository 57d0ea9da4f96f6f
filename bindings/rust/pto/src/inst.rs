//! Instructions as objects, for interpreters.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::{c_text, sys, Context, Error, Op, Result, Scalar, Tensor, Tile};

/// An instruction with its operands.
///
/// It borrows its tiles, because running it writes them: a tile cannot go to another thread, and
/// a wrapped slice cannot be touched, as long as an instruction may use it.
///
/// ```
/// # use pto::{Context, DType, Inst, Profile};
/// # fn main() -> pto::Result<()> {
/// let ctx = Context::new(Profile::CPU)?;
/// let (dst, src) = (ctx.tile(DType::F32, 1, 2)?, ctx.tile(DType::F32, 1, 2)?);
/// src.write(&ctx, &[4.0f32, 0.25])?;
/// let mut inst = Inst::new(&ctx, "trsqrt")?;
/// inst.set_tile(&ctx, 0, Some(&dst))?;
/// inst.set_tile(&ctx, 1, Some(&src))?;
/// inst.run(&ctx)?;
/// assert_eq!(dst.to_vec::<f32>(&ctx)?, [0.5, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// Operands may be declared after the instruction, and are then dropped before it:
///
/// ```
/// # use pto::{Context, DType, Inst, Profile};
/// # fn main() -> pto::Result<()> {
/// # let ctx = Context::new(Profile::CPU)?;
/// let mut inst = Inst::new(&ctx, "tabs")?;
/// let tile = ctx.tile(DType::F32, 1, 2)?;
/// inst.set_tile(&ctx, 0, Some(&tile))?;
/// inst.set_tile(&ctx, 1, Some(&tile))?;
/// inst.run(&ctx)?;
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail,E0597
/// # use pto::{Context, DType, Inst, Profile};
/// # let ctx = Context::new(Profile::CPU).unwrap();
/// let mut inst = Inst::new(&ctx, "tabs").unwrap();
/// {
///     let tile = ctx.tile(DType::F32, 1, 2).unwrap();
///     inst.set_tile(&ctx, 0, Some(&tile)).unwrap();
/// }
/// inst.run(&ctx).unwrap(); // the tile is gone
/// ```
pub struct Inst<'t> {
    native: Native,
    operands: PhantomData<(&'t Tile, &'t Tensor)>,
}

/// The reference that create() gave, without a lifetime: an instruction that is released reads none
/// of its operands, to which the library counts its own references.
struct Native(NonNull<sys::pto_inst>);

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: the reference that create() gave.
        unsafe { sys::pto_inst_release(self.0.as_ptr()) }
    }
}

impl core::fmt::Debug for Inst<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Inst").field(&self.op()).finish()
    }
}

impl<'t> Inst<'t> {
    /// Makes an instruction by its mnemonic, such as `tpow`; its operands are not set yet.
    pub fn new(ctx: &Context, name: &str) -> Result<Self> {
        let name = c_text(name);
        // SAFETY: context and name outlive the call.
        match NonNull::new(unsafe { sys::pto_inst_create(ctx.as_ptr(), name.as_ptr()) }) {
            Some(ptr) => Ok(Self { native: Native(ptr), operands: PhantomData }),
            None => Err(Error::of(ctx)),
        }
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_inst {
        self.native.0.as_ptr()
    }

    /// Which instruction it is.
    pub fn op(&self) -> Op {
        // SAFETY: the handle is alive.
        Op::from_raw(unsafe { sys::pto_inst_op(self.as_ptr()) } as u32)
    }

    /// Sets a tile operand, in the order of [`Op::operand_name`]; `None` unsets it.
    ///
    /// # Errors
    ///
    /// Rules: `operand-index`, `operand-kind`.
    pub fn set_tile(&mut self, ctx: &Context, index: i32, tile: Option<&'t Tile>) -> Result<()> {
        let raw = tile.map_or(core::ptr::null_mut(), Tile::as_ptr);
        // SAFETY: the handles are alive; 't keeps the tile where it is.
        ctx.check(unsafe { sys::pto_inst_set_tile(ctx.as_ptr(), self.as_ptr(), index, raw) })
    }

    /// Sets a tensor operand; `None` unsets it.
    ///
    /// # Errors
    ///
    /// Rules: `operand-index`, `operand-kind`.
    pub fn set_tensor(&mut self, ctx: &Context, index: i32, tensor: Option<&'t Tensor>) -> Result<()> {
        let raw = tensor.map_or(core::ptr::null_mut(), Tensor::as_ptr);
        // SAFETY: the handles are alive; 't keeps the tensor where it is.
        ctx.check(unsafe { sys::pto_inst_set_tensor(ctx.as_ptr(), self.as_ptr(), index, raw) })
    }

    /// Sets a scalar operand.
    ///
    /// # Errors
    ///
    /// Rules: `operand-index`, `operand-kind`.
    pub fn set_scalar(&mut self, ctx: &Context, index: i32, value: impl Into<Scalar>) -> Result<()> {
        // SAFETY: the handles are alive.
        ctx.check(unsafe { sys::pto_inst_set_scalar(ctx.as_ptr(), self.as_ptr(), index, value.into().0) })
    }

    /// Sets an integer operand: a scalar, an integer, a mode or the flags.
    ///
    /// # Errors
    ///
    /// Rules: `operand-index`, `operand-kind`, `operand-value`.
    pub fn set_int(&mut self, ctx: &Context, index: i32, value: i64) -> Result<()> {
        // SAFETY: the handles are alive.
        ctx.check(unsafe { sys::pto_inst_set_int(ctx.as_ptr(), self.as_ptr(), index, value) })
    }

    /// Sets a floating-point operand.
    ///
    /// # Errors
    ///
    /// Rules: `operand-index`, `operand-kind`.
    pub fn set_float(&mut self, ctx: &Context, index: i32, value: f64) -> Result<()> {
        // SAFETY: the handles are alive.
        ctx.check(unsafe { sys::pto_inst_set_float(ctx.as_ptr(), self.as_ptr(), index, value) })
    }

    /// Applies every rule of the instruction to its operands, without running it.
    pub fn check(&self, ctx: &Context) -> Result<()> {
        // SAFETY: the handles are alive.
        ctx.check(unsafe { sys::pto_inst_check(ctx.as_ptr(), self.as_ptr()) })
    }

    /// Runs the instruction: the same as calling its method of [`Context`].
    pub fn run(&self, ctx: &Context) -> Result<()> {
        // SAFETY: the handles are alive, and so are the tiles (a counted reference each).
        ctx.check(unsafe { sys::pto_inst_run(ctx.as_ptr(), self.as_ptr()) })
    }
}
