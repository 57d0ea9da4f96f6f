//! Contexts, and information about the library.

use core::ptr::NonNull;
use std::ffi::CString;

use crate::{sys, text, DType, Error, Profile, Result, Status, Tile, TileBuilder};

/// A profile, a SIMD target, on-chip memory and the text of the last error.
///
/// Instructions are methods of it. One thread at a time uses a context:
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<pto::Context>();
/// ```
pub struct Context {
    ptr: NonNull<sys::pto_context>,
}

// SAFETY: the library keeps no thread's identity, and on-chip memory is reached by the tiles that
// borrow the context only (OnChipTile), so a context that can move is the only way to it.
unsafe impl Send for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the reference that create() gave.
        unsafe { sys::pto_context_release(self.ptr.as_ptr()) }
    }
}

impl Context {
    /// Makes a context that runs on the best SIMD target of this machine.
    ///
    /// The environment variable `PTO_TARGET` may name another. Results are the same bits on every target.
    pub fn new(profile: Profile) -> Result<Self> {
        Self::create(profile, None)
    }

    /// Makes a context that runs on the SIMD target of this name; [`targets`] lists them.
    pub fn with_target(profile: Profile, target: &str) -> Result<Self> {
        Self::create(profile, Some(target))
    }

    fn create(profile: Profile, target: Option<&str>) -> Result<Self> {
        let name = target.map(|name| CString::new(name).unwrap_or_default());
        let raw = name.as_ref().map_or(core::ptr::null(), |name| name.as_ptr());
        // SAFETY: the name outlives the call; NULL asks for the best target.
        match NonNull::new(unsafe { sys::pto_context_create_for(profile.0, raw) }) {
            Some(ptr) => Ok(Self { ptr }),
            None => Err(refused(profile, target)),
        }
    }

    /// Takes over a context that the library made, or the error that `by` keeps.
    pub(crate) fn adopt(by: &Context, raw: *mut sys::pto_context) -> Result<Self> {
        NonNull::new(raw).map(|ptr| Self { ptr }).ok_or_else(|| Error::of(by))
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *mut sys::pto_context {
        self.ptr.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn check(&self, status: sys::pto_status) -> Result<()> {
        if status == sys::PTO_OK {
            Ok(())
        } else {
            Err(Error::of(self))
        }
    }

    /// Sets how many bytes of on-chip memory each location has under [`Profile::CPU`], 1 to 2^40.
    ///
    /// The default is 2^30. The system provides memory when it is first accessed. Rules: `limit`, `on-chip-limit`, which wants
    /// no tile to have an address yet.
    pub fn limit_on_chip(&mut self, bytes: i64) -> Result<()> {
        // SAFETY: the context is alive and has no other user.
        self.check(unsafe { sys::pto_context_limit_on_chip(self.as_ptr(), bytes) })
    }

    /// Sets whether `f32` sums saturate if they leave an accumulator as `f16` or `bf16`: the largest finite number instead
    /// of infinity, 0 instead of NaN. At first they do not.
    pub fn saturate(&mut self, saturates: bool) -> Result<()> {
        // SAFETY: the context is alive, and only this caller uses it.
        self.check(unsafe { sys::pto_context_saturate(self.as_ptr(), i32::from(saturates)) })
    }

    /// Appends a string to the output, as [`Context::tprint`] does; up to its first NUL.
    pub fn print(&self, text: &str) -> Result<()> {
        let text = CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default();
        // SAFETY: the context and the text are alive.
        self.check(unsafe { sys::pto_context_print(self.as_ptr(), text.as_ptr()) })
    }

    /// What was printed since the context was made or its output cleared, at most 1 MiB.
    pub fn output(&self) -> String {
        // SAFETY: the text lives until the context prints again: it is copied before that.
        crate::text(unsafe { sys::pto_context_output(self.as_ptr()) }).to_owned()
    }

    /// Empties the output.
    pub fn clear_output(&self) {
        // SAFETY: the context is alive.
        unsafe { sys::pto_context_clear_output(self.as_ptr()) }
    }

    /// A row-major vector tile that owns zeroed memory, all of it valid.
    pub fn tile(&self, dtype: DType, rows: i32, cols: i32) -> Result<Tile> {
        TileBuilder::new(dtype, rows, cols).build(self)
    }
}

impl core::fmt::Debug for Context {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Context").field("profile", &self.profile()).field("target", &self.target()).finish()
    }
}

/// Without a context, no object can keep the error: the one case where the message is ours.
#[cold]
fn refused(profile: Profile, target: Option<&str>) -> Error {
    const REMEDY: &str = "Use one of pto::targets() that is supported.";
    let own = |status, rule, operand, message| Error::own(status, rule, operand, message, REMEDY);
    if profile.raw() > Profile::A5.raw() {
        return own(Status::ARGUMENT, "profile", "profile", format!("context: the profile is {profile:?}"));
    }
    match target {
        Some(name) => match targets().find(|known| known.name == name) {
            None => own(Status::UNKNOWN, "target", "target", format!("context: no target is called {name:?}")),
            Some(Target { supported: false, .. }) => {
                own(Status::UNKNOWN, "target", "target", format!("context: this machine cannot run {name}"))
            }
            Some(_) => own(Status::MEMORY, "memory", "", "context: no memory".to_owned()),
        },
        None => own(Status::MEMORY, "memory", "", "context: no memory".to_owned()),
    }
}

/// A SIMD target that is compiled into the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// Its name, such as `AVX3`.
    pub name: &'static str,
    /// Whether this machine can run it.
    pub supported: bool,
}

/// The SIMD targets of the library, best first.
pub fn targets() -> impl Iterator<Item = Target> {
    // SAFETY: the library accepts any index; names live as long as it.
    let count = unsafe { sys::pto_target_count() };
    (0..count).map(|index| unsafe {
        Target { name: text(sys::pto_target_name(index)), supported: sys::pto_target_supported(index) != 0 }
    })
}

/// The version of the loaded library: major * 10000 + minor * 100 + patch.
pub fn version() -> i32 {
    // SAFETY: no precondition.
    unsafe { sys::pto_version() }
}

/// The handles of all kinds that are alive in this process, for leak tests.
pub fn live_handles() -> i64 {
    // SAFETY: no precondition.
    unsafe { sys::pto_live_handles() }
}
