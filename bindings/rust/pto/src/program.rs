//! PTO-AS programs: what is bound to them, and their runs. `results.rs` has what can be read of them.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::{c_text, sys, Context, Error, Result, StopHandle, Tensor, Tile, World};

/// A PTO-AS program: text that was read, what is wrong with it, what its arguments are bound to.
///
/// It borrows the tensors and tiles that are bound to it, because a run writes them, and the
/// contexts that it runs in, because tiles of its own may lie in their on-chip memory. So none of
/// them leaves the thread, and a wrapped slice cannot be touched, as long as the program lives:
///
/// ```
/// # use pto::{Context, DType, Profile, Program, TensorBuilder};
/// # fn main() -> pto::Result<()> {
/// const TWICE: &str = "
/// func.func @twice(%x: !pto.partition_tensor_view<2x2xf32>, %y: !pto.partition_tensor_view<2x2xf32>) {
///   %t = pto.alloc_tile : !pto.tile_buf<vec, 2x2xf32>
///   pto.tload ins(%x : !pto.partition_tensor_view<2x2xf32>) outs(%t : !pto.tile_buf<vec, 2x2xf32>)
///   pto.tpartadd ins(%t, %t : !pto.tile_buf<vec, 2x2xf32>, !pto.tile_buf<vec, 2x2xf32>)
///     outs(%t : !pto.tile_buf<vec, 2x2xf32>)
///   pto.tstore ins(%t : !pto.tile_buf<vec, 2x2xf32>) outs(%y : !pto.partition_tensor_view<2x2xf32>)
///   return
/// }";
/// let ctx = Context::new(Profile::CPU)?;
/// let (mut x, mut y) = ([1.0f32, 2.0, 3.0, 4.0], [0.0f32; 4]);
/// {
///     let shape = TensorBuilder::new(DType::F32, &[2, 2]);
///     let (from, to) = (shape.wrap(&ctx, &mut x)?, shape.wrap(&ctx, &mut y)?); // no copy
///     let mut program = Program::parse(&ctx, TWICE, Some("twice.pto"))?;
///     program.bind_tensor(&ctx, "x", Some(&from))?;
///     program.bind_tensor(&ctx, "1", Some(&to))?; // by position
///     program.run(&ctx, None)?;
/// }
/// assert_eq!(y, [2.0, 4.0, 6.0, 8.0]);
/// # Ok(())
/// # }
/// ```
///
/// Tensors, tiles and contexts may be declared after the program, and are then dropped before it:
///
/// ```
/// # use pto::{Context, DType, Profile, Program, Tensor};
/// # fn main() -> pto::Result<()> {
/// # let ctx = Context::new(Profile::CPU)?;
/// # let text = "%y = tadd %x, %x\n";
/// let mut program = Program::parse(&ctx, text, None)?;
/// let x = ctx.tile(DType::F32, 1, 2)?;
/// x.write(&ctx, &[1.0f32, 2.0])?;
/// let worker = Context::new(Profile::CPU)?;
/// program.bind_tile(&ctx, "x", Some(&x))?;
/// program.run(&worker, None)?;
/// assert_eq!(program.tile(&ctx, "y")?.to_vec::<f32>(&ctx)?, [2.0, 4.0]);
/// # Ok(())
/// # }
/// ```
///
/// No run may come after they are dropped:
///
/// ```compile_fail,E0597
/// # use pto::{Context, DType, Profile, Program};
/// # let ctx = Context::new(Profile::CPU).unwrap();
/// let mut program = Program::parse(&ctx, "%y = tadd %x, %x\n", None).unwrap();
/// {
///     let x = ctx.tile(DType::F32, 1, 2).unwrap();
///     program.bind_tile(&ctx, "x", Some(&x)).unwrap();
/// }
/// program.run(&ctx, None).unwrap();
/// ```
///
/// ```compile_fail,E0505
/// # use pto::{Context, DType, Profile, Program, Tensor};
/// # let ctx = Context::new(Profile::CPU).unwrap();
/// let tensor = Tensor::new(&ctx, DType::F32, &[2, 2]).unwrap();
/// let mut program = Program::parse(&ctx, "", None).unwrap();
/// program.bind_tensor(&ctx, "x", Some(&tensor)).unwrap();
/// std::thread::spawn(move || drop(tensor)); // the program could write it meanwhile
/// program.run(&ctx, None).unwrap();
/// ```
///
/// ```compile_fail,E0277
/// fn sent<T: Send>() {}
/// sent::<pto::Program<'static>>();
/// ```
pub struct Program<'t> {
    native: Native,
    reached: PhantomData<(&'t Context, &'t Tile, &'t Tensor)>,
}

/// The reference that parse() gave. It has no lifetime, so that what a program borrows may be
/// dropped before the program itself: releasing a program reads none of the elements that it
/// reached, and the library counts its own references to tiles and tensors.
struct Native(NonNull<sys::pto_program>);

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: the reference that parse() gave.
        unsafe { sys::pto_program_release(self.0.as_ptr()) }
    }
}

impl<'t> Program<'t> {
    /// Reads a program, in any of its spellings.
    ///
    /// A program with errors is created, too, so that its [`diagnostics`](Self::diagnostics) can
    /// be read; [`check`](Self::check) and [`run`](Self::run) refuse it. They call the text `name`,
    /// such as its file name, or "program".
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn parse(ctx: &Context, text: &str, name: Option<&str>) -> Result<Self> {
        let name = name.map(c_text);
        let called = name.as_ref().map_or(core::ptr::null(), |name| name.as_ptr());
        // SAFETY: text and name outlive the call, and the text has that many bytes.
        let raw = unsafe { sys::pto_program_parse(ctx.as_ptr(), text.as_ptr().cast(), text.len() as i64, called) };
        NonNull::new(raw).map(|ptr| Self { native: Native(ptr), reached: PhantomData }).ok_or_else(|| Error::of(ctx))
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_program {
        self.native.0.as_ptr()
    }

    /// Applies the rules of the language, and the rules of the instructions that types and
    /// constants say, under the profile of the context.
    ///
    /// Its diagnostics replace the diagnostics of the previous check or run.
    ///
    /// # Errors
    ///
    /// The rule of the first diagnostic that is an error; `memory`.
    pub fn check(&mut self, ctx: &Context) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_check(ctx.as_ptr(), self.as_ptr()) })
    }

    /// Reports code that is valid but probably wrong or useless: findings are warnings
    /// among the diagnostics, and their rule is the id of a check.
    ///
    /// `checks` are ids with commas between: these only; or all but those that have `-` before them.
    ///
    /// # Errors
    ///
    /// Rules: `lint-check`, `memory`, or the rule of the first error.
    pub fn lint(&mut self, ctx: &Context, checks: Option<&str>) -> Result<()> {
        let checks = checks.map(c_text);
        let raw = checks.as_ref().map_or(core::ptr::null(), |text| text.as_ptr());
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_lint(ctx.as_ptr(), self.as_ptr(), raw) })
    }

    /// Binds an argument to a tensor, which a run reads and writes; `None` takes the binding back.
    ///
    /// The argument is named without `%`, or by its number in decimal. Whether the entry has it, and
    /// of that type, shows when it runs.
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn bind_tensor(&mut self, ctx: &Context, arg: &str, tensor: Option<&'t Tensor>) -> Result<()> {
        let raw = tensor.map_or(core::ptr::null_mut(), Tensor::as_ptr);
        // SAFETY: the handles are alive; 't keeps the tensor where it is.
        ctx.check(unsafe { sys::pto_program_bind_tensor(ctx.as_ptr(), self.as_ptr(), c_text(arg).as_ptr(), raw) })
    }

    /// Sets whether what an argument is bound to is memory for results, which holds no data before a
    /// run.
    ///
    /// A run that reads an element of it which it has not written before ends with
    /// `unbound-argument`. A new binding of the argument holds data.
    ///
    /// # Errors
    ///
    /// Rules: `unbound-argument`, `argument-kind`.
    pub fn set_output(&mut self, ctx: &Context, arg: &str, on: bool) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_output(ctx.as_ptr(), self.as_ptr(), c_text(arg).as_ptr(), on.into()) })
    }

    /// Sets the world that runs of the program use; `None`: one device.
    ///
    /// Arguments bound on single ranks are no longer bound.
    ///
    /// # Errors
    ///
    /// None: Rust has no closed handles.
    pub fn set_world(&mut self, ctx: &Context, world: Option<&'t World>) -> Result<()> {
        let raw = world.map_or(core::ptr::null_mut(), World::as_ptr);
        // SAFETY: the handles are alive; 't keeps the world on this thread.
        ctx.check(unsafe { sys::pto_program_set_world(ctx.as_ptr(), self.as_ptr(), raw) })
    }

    /// Sets the rank that later bindings are for; `None`: every rank.
    ///
    /// # Errors
    ///
    /// Rule: `rank`.
    pub fn bind_on(&mut self, ctx: &Context, rank: Option<i32>) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_bind_on(ctx.as_ptr(), self.as_ptr(), rank.unwrap_or(-1)) })
    }

    /// Sets the order in which ranks take turns: 0, each until it waits, or the seed of a random order.
    ///
    /// # Errors
    ///
    /// None: Rust has no closed handles.
    pub fn set_schedule(&mut self, ctx: &Context, seed: i64) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_schedule(ctx.as_ptr(), self.as_ptr(), seed) })
    }

    /// Sets whether data of `comm.tput` becomes visible to other ranks as late as the order of pipes allows; not unless
    /// set. A correct program computes the same.
    ///
    /// # Errors
    ///
    /// None: Rust has no closed handles.
    pub fn set_late_data(&mut self, ctx: &Context, on: bool) -> Result<()> {
        // SAFETY: both handles live as long as their wrappers.
        ctx.check(unsafe { sys::pto_program_set_late_data(ctx.as_ptr(), self.as_ptr(), on.into()) })
    }

    /// Binds an argument to a tile; as [`bind_tensor`](Self::bind_tensor).
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn bind_tile(&mut self, ctx: &Context, arg: &str, tile: Option<&'t Tile>) -> Result<()> {
        let raw = tile.map_or(core::ptr::null_mut(), Tile::as_ptr);
        // SAFETY: the handles are alive; 't keeps the tile where it is.
        ctx.check(unsafe { sys::pto_program_bind_tile(ctx.as_ptr(), self.as_ptr(), c_text(arg).as_ptr(), raw) })
    }

    /// Binds an argument to an integer; as [`bind_tensor`](Self::bind_tensor).
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn bind_int(&mut self, ctx: &Context, arg: &str, value: i64) -> Result<()> {
        // SAFETY: the handles and the name are alive.
        ctx.check(unsafe { sys::pto_program_bind_int(ctx.as_ptr(), self.as_ptr(), c_text(arg).as_ptr(), value) })
    }

    /// Binds a pointer argument to memory of unknown length; as [`bind_tensor`](Self::bind_tensor).
    ///
    /// # Safety
    ///
    /// All views that the program makes of the pointer describe memory that lives, and that nothing else uses, while it runs.
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub unsafe fn bind_address(&mut self, ctx: &Context, arg: &str, address: i64) -> Result<()> {
        // SAFETY: the handles and the name are alive; the caller vouches for the memory.
        ctx.check(unsafe { sys::pto_program_bind_address(ctx.as_ptr(), self.as_ptr(), c_text(arg).as_ptr(), address) })
    }

    /// Binds an argument to a floating-point number; as [`bind_tensor`](Self::bind_tensor).
    ///
    /// # Errors
    ///
    /// Rule: `memory`.
    pub fn bind_float(&mut self, ctx: &Context, arg: &str, value: f64) -> Result<()> {
        // SAFETY: the handles and the name are alive.
        ctx.check(unsafe { sys::pto_program_bind_float(ctx.as_ptr(), self.as_ptr(), c_text(arg).as_ptr(), value) })
    }

    /// Binds an argument to a floating-point number that is written in decimal, such as `"-1.5e-3"`.
    ///
    /// The number is rounded once, to the type of the argument, as a literal of a program is.
    ///
    /// # Errors
    ///
    /// Rules: `argument-type` if `text` is not a decimal number; `memory`.
    pub fn bind_decimal(&mut self, ctx: &Context, arg: &str, text: &str) -> Result<()> {
        let (arg, text) = (c_text(arg), c_text(text));
        // SAFETY: the handles and the strings are alive.
        ctx.check(unsafe { sys::pto_program_bind_decimal(ctx.as_ptr(), self.as_ptr(), arg.as_ptr(), text.as_ptr()) })
    }

    /// Limits the steps of a run, all blocks together; 10^9 unless set.
    ///
    /// A step is a statement, a round of a loop, a block, or 64 elements that a statement works on.
    ///
    /// # Errors
    ///
    /// Rule: `limit`.
    pub fn limit_steps(&mut self, ctx: &Context, steps: i64) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_limit_steps(ctx.as_ptr(), self.as_ptr(), steps) })
    }

    /// Limits the bytes that a run holds; 2^32 unless set.
    ///
    /// Counted are the tiles that it makes, 512 bytes for each handle, 32 for each value of a function
    /// that is under way, what was printed, and the trace; not what is bound.
    ///
    /// # Errors
    ///
    /// Rule: `limit`.
    pub fn limit_bytes(&mut self, ctx: &Context, bytes: i64) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_limit_bytes(ctx.as_ptr(), self.as_ptr(), bytes) })
    }

    /// Limits the time that a run takes, to the millisecond; there is no limit unless set.
    ///
    /// It is looked at between steps: an instruction that began is finished.
    ///
    /// # Errors
    ///
    /// Rule: `limit`, for less than a millisecond.
    pub fn limit_time(&mut self, ctx: &Context, time: core::time::Duration) -> Result<()> {
        let milliseconds = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_limit_time(ctx.as_ptr(), self.as_ptr(), milliseconds) })
    }

    /// A handle that ends runs of the program from any thread.
    ///
    /// ```
    /// # use pto::{Context, Profile, Program};
    /// # fn main() -> pto::Result<()> {
    /// const ENDLESS: &str = "func.func @main() {
    ///   %true = arith.constant true
    ///   scf.while (%a = %true) : (i1) -> (i1) {
    ///     scf.condition(%a) %a : i1
    ///   } do {
    ///   ^bb0(%b: i1):
    ///     scf.yield %b : i1
    ///   }
    ///   return
    /// }";
    /// let ctx = Context::new(Profile::CPU)?;
    /// let mut program = Program::parse(&ctx, ENDLESS, None)?;
    /// program.limit_steps(&ctx, i64::MAX)?;
    /// let stop = program.stop_handle();
    /// let other = std::thread::spawn(move || stop.stop());
    /// assert_eq!(program.run(&ctx, None).unwrap_err().rule(), "stopped");
    /// other.join().unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn stop_handle(&self) -> StopHandle {
        // SAFETY: the handle is alive; the new one gives its reference back.
        unsafe { sys::pto_program_retain(self.as_ptr()) };
        StopHandle { ptr: self.native.0 }
    }

    /// Sets how often the entry runs, as block 0, 1 and so on; 1 unless set.
    ///
    /// # Errors
    ///
    /// Rule: `blocks`.
    pub fn set_blocks(&mut self, ctx: &Context, blocks: i32) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_blocks(ctx.as_ptr(), self.as_ptr(), blocks) })
    }

    /// Which core a run is, for launchers that start a thread of their own for each: its block of how many, and the number of
    /// its vector core, 0 or 1.
    ///
    /// # Errors
    ///
    /// Rule: `blocks`.
    pub fn set_core(&mut self, ctx: &Context, block: i32, blocks: i32, lane: i32) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_core(ctx.as_ptr(), self.as_ptr(), block, blocks, lane) })
    }

    /// Sets on how many threads a run works, at most, 1 to 1024; 1 unless set. Results do not depend on it, but for
    /// programs whose blocks write what others read or write.
    ///
    /// # Errors
    ///
    /// Rule: `threads`.
    pub fn set_threads(&mut self, ctx: &Context, threads: i32) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_threads(ctx.as_ptr(), self.as_ptr(), threads) })
    }

    /// Sets whether runs check that flags and barriers order accesses to the same bytes. By default they do not. What
    /// is found are diagnostics of the run.
    pub fn set_sync(&mut self, ctx: &Context, on: bool) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_sync(ctx.as_ptr(), self.as_ptr(), on.into()) })
    }

    /// Fills inactive lanes of registers with 0xA5 instead of 0, to find programs that depend on them; off unless set.
    pub fn set_poison(&mut self, ctx: &Context, on: bool) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_poison(ctx.as_ptr(), self.as_ptr(), on.into()) })
    }

    /// Allows copies of the vector level to reach `bytes` bytes beyond bound arrays, with a warning; 0 unless set.
    ///
    /// Rule: `limit`.
    pub fn set_slack(&mut self, ctx: &Context, bytes: i64) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_slack(ctx.as_ptr(), self.as_ptr(), bytes) })
    }

    /// Turns the recording of a [`trace`](Self::trace) on or off; off unless set.
    pub fn set_trace(&mut self, ctx: &Context, on: bool) -> Result<()> {
        // SAFETY: both handles are alive.
        ctx.check(unsafe { sys::pto_program_set_trace(ctx.as_ptr(), self.as_ptr(), on.into()) })
    }

    /// Runs a function of the program, [`entry`](Self::entry) unless it is named, after a check under
    /// the context's profile.
    ///
    /// Bound tensors and tiles receive the results. After an error they hold the results of the statements before it.
    /// Synchronisation does nothing: statements run one after another, and blocks too, or on
    /// [several threads](Self::set_threads).
    ///
    /// # Errors
    ///
    /// Rules: `program-errors`, `unknown-entry`, `argument-name`, `unbound-argument`,
    /// `argument-kind`, `argument-type`, `step-limit`, `byte-limit`, `time-limit`, `stopped`,
    /// `call-depth`, `unassigned`, `division-by-zero`, `loop-step`, `window`, `unsupported`, `trap`, `memory`, and the rules of every
    /// call that the program makes; the last diagnostic has the position.
    pub fn run(&mut self, ctx: &'t Context, entry: Option<&str>) -> Result<()> {
        let entry = entry.map(c_text);
        let named = entry.as_ref().map_or(core::ptr::null(), |entry| entry.as_ptr());
        // SAFETY: the handles are alive; 't keeps on this thread whatever the program can write.
        ctx.check(unsafe { sys::pto_program_run(ctx.as_ptr(), self.as_ptr(), named) })
    }
}

impl core::fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Program").field("entry", &self.entry()).field("args", &self.args(None)).finish()
    }
}
