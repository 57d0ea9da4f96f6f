//! Worlds: ranks that exchange data through windows of memory, and groups of them.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::tensor::adopt;
use crate::{sys, Context, Error, Result, Tensor, TensorBuilder, TensorView, WaitCmp};

/// Ranks that exchange data, each with a window of memory that all of them reach.
///
/// Tensors of windows may share bytes, so the world and its tensors stay on one thread.
///
/// ```
/// # use pto::{Atomic, Context, DType, Notify, Profile, TensorBuilder, WaitCmp, World};
/// # fn main() -> pto::Result<()> {
/// let ctx = Context::new(Profile::CPU)?;
/// let world = World::new(&ctx, 2, 4096)?;
/// let (first, second) = (world.context(&ctx, 0)?, world.context(&ctx, 1)?);
/// let part = |rank| world.tensor(&ctx, rank, TensorBuilder::new(DType::F32, &[4]), 64);
/// let signal = world.tensor(&ctx, 1, TensorBuilder::new(DType::I32, &[1]), 0)?;
/// let (from, to) = (part(0)?, part(1)?);
/// from.write(&ctx, &[1.0f32, 2.0, 3.0, 4.0])?;
/// first.comm_tput(&to, &from, None, None, Atomic::NONE)?;
/// first.comm_tnotify(&signal, 1, Notify::SET)?;
/// second.comm_twait(&signal, 1, WaitCmp::EQ)?;
/// let mut data = [0.0f32; 4];
/// to.read(&second, &mut data)?;
/// assert_eq!(data, [1.0, 2.0, 3.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct World {
    ptr: NonNull<sys::pto_world>,
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the reference that create() gave.
        unsafe { sys::pto_world_release(self.ptr.as_ptr()) }
    }
}

impl World {
    /// Creates a world of ranks in this process, with zeroed windows of this size.
    ///
    /// # Errors
    ///
    /// Rules: `ranks`, `window-bytes`, `memory`.
    pub fn new(ctx: &Context, ranks: i32, window_bytes: i64) -> Result<Self> {
        // SAFETY: the context is alive.
        let raw = unsafe { sys::pto_world_create(ctx.as_ptr(), ranks, window_bytes) };
        NonNull::new(raw).map(|ptr| Self { ptr }).ok_or_else(|| Error::of(ctx))
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_world {
        self.ptr.as_ptr()
    }

    /// Creates a context of a rank, like `ctx`.
    ///
    /// # Errors
    ///
    /// Rules: `rank`, `memory`.
    pub fn context(&self, ctx: &Context, rank: i32) -> Result<Context> {
        // SAFETY: both handles are alive.
        Context::adopt(ctx, unsafe { sys::pto_world_context(ctx.as_ptr(), self.as_ptr(), rank) })
    }

    /// A tensor over a part of a rank's window, `offset` bytes from its beginning.
    ///
    /// # Errors
    ///
    /// Rules: as [`TensorBuilder::build`], and `rank`, `world-offset`, `data-alignment`, `tensor-range`.
    pub fn tensor(&self, ctx: &Context, rank: i32, shape: TensorBuilder, offset: i64) -> Result<TensorView<'_>> {
        let desc = shape.desc()?;
        // SAFETY: the handles are alive and the descriptor outlives the call.
        let raw = unsafe { sys::pto_world_tensor(ctx.as_ptr(), self.as_ptr(), rank, &desc, offset) };
        Ok(TensorView::of(adopt(ctx, raw)?))
    }

    /// Limits how long [`Context::comm_twait`] waits; 60000 milliseconds unless set.
    ///
    /// # Errors
    ///
    /// Rule: `limit`.
    pub fn limit_wait(&self, ctx: &Context, milliseconds: i64) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_world_limit_wait(ctx.as_ptr(), self.as_ptr(), milliseconds) })
    }
}

impl Context {
    /// Whether all elements of a signal compare true with a value now (TTEST).
    ///
    /// # Errors
    ///
    /// Rules: `signal`, `signal-own`, `mode`.
    pub fn ttest(&self, signal: &Tensor, value: i32, cmp: WaitCmp) -> Result<bool> {
        // SAFETY: both handles are alive.
        let holds = unsafe { sys::pto_context_ttest(self.as_ptr(), signal.as_ptr(), value, cmp.0) };
        if holds < 0 {
            Err(Error::of(self))
        } else {
            Ok(holds == 1)
        }
    }
}

impl Context {
    fn event(&self, event: i64) -> Result<i64> {
        if event == 0 {
            Err(Error::of(self))
        } else {
            Ok(event)
        }
    }

    /// Begins to copy `src` to `dst`, a tensor of another rank, and returns the event of the session (`TPUT_ASYNC`).
    ///
    /// # Errors
    ///
    /// Rules: `async-event`, `comm-flat`, `comm-dtype`, `comm-shape`.
    pub fn tput_async(&self, dst: &Tensor, src: &Tensor, session: i32) -> Result<i64> {
        // SAFETY: the handles are alive.
        self.event(unsafe { sys::pto_context_tput_async(self.as_ptr(), dst.as_ptr(), src.as_ptr(), session) })
    }

    /// Begins to copy `src`, a tensor of another rank, to `dst`, and returns the event of the session (`TGET_ASYNC`).
    ///
    /// # Errors
    ///
    /// Rules: as [`Context::tput_async`].
    pub fn tget_async(&self, dst: &Tensor, src: &Tensor, session: i32) -> Result<i64> {
        // SAFETY: the handles are alive.
        self.event(unsafe { sys::pto_context_tget_async(self.as_ptr(), dst.as_ptr(), src.as_ptr(), session) })
    }

    /// Whether the copy of an event, and all before it in its session, are complete.
    ///
    /// # Errors
    ///
    /// Rule: `async-event`.
    pub fn test_async_event(&self, event: i64, session: i32) -> Result<bool> {
        // SAFETY: the context is alive.
        let complete = unsafe { sys::pto_context_test_async_event(self.as_ptr(), event, session) };
        if complete < 0 {
            Err(Error::of(self))
        } else {
            Ok(complete == 1)
        }
    }
}

/// One tensor of each rank that takes part in a collective instruction, and which of them is the root's.
#[derive(Debug)]
pub struct Group<'t> {
    ptr: NonNull<sys::pto_group>,
    members: PhantomData<&'t Tensor>,
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        // SAFETY: the reference that create() gave.
        unsafe { sys::pto_group_release(self.ptr.as_ptr()) }
    }
}

impl<'t> Group<'t> {
    /// Creates an empty group whose member `root` calls the collective instructions.
    ///
    /// # Errors
    ///
    /// Rules: `group`, `memory`.
    pub fn new(ctx: &Context, root: i32) -> Result<Self> {
        // SAFETY: the context is alive.
        let raw = unsafe { sys::pto_group_create(ctx.as_ptr(), root) };
        NonNull::new(raw).map(|ptr| Self { ptr, members: PhantomData }).ok_or_else(|| Error::of(ctx))
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_group {
        self.ptr.as_ptr()
    }

    /// Adds the tensor of the next rank.
    ///
    /// # Errors
    ///
    /// Rules: `group`, `comm-dtype`.
    pub fn add(&mut self, ctx: &Context, tensor: &'t Tensor) -> Result<()> {
        // SAFETY: the handles are alive; 't keeps the tensor where it is.
        ctx.check(unsafe { sys::pto_group_add(ctx.as_ptr(), self.as_ptr(), tensor.as_ptr()) })
    }
}
