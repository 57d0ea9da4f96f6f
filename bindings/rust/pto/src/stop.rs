//! The end of a run from another thread.

use core::ptr::NonNull;

use crate::sys;

/// Ends runs of a [`Program`](crate::Program), from any thread; [`Program::stop_handle`](crate::Program::stop_handle) makes it.
pub struct StopHandle {
    pub(crate) ptr: NonNull<sys::pto_program>,
}

// SAFETY: its calls set a flag that is atomic, and references are counted atomically.
unsafe impl Send for StopHandle {}
// SAFETY: the same.
unsafe impl Sync for StopHandle {}

impl StopHandle {
    /// Asks the current run to stop, or the next run if none is active.
    ///
    /// It ends between two steps with the rule `stopped`, which uses the request up. Requests are not
    /// counted: two before a run ends are one.
    pub fn stop(&self) {
        // SAFETY: the handle is alive.
        unsafe { sys::pto_program_stop(self.ptr.as_ptr()) }
    }

    /// Takes back a [`stop`](Self::stop) that no run has ended by.
    pub fn forget(&self) {
        // SAFETY: the handle is alive.
        unsafe { sys::pto_program_forget_stop(self.ptr.as_ptr()) }
    }
}

impl Clone for StopHandle {
    fn clone(&self) -> Self {
        // SAFETY: the handle is alive.
        unsafe { sys::pto_program_retain(self.ptr.as_ptr()) };
        Self { ptr: self.ptr }
    }
}

impl Drop for StopHandle {
    fn drop(&mut self) {
        // SAFETY: the reference that stop_handle() or clone() took.
        unsafe { sys::pto_program_release(self.ptr.as_ptr()) }
    }
}

impl core::fmt::Debug for StopHandle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("StopHandle").finish_non_exhaustive()
    }
}
