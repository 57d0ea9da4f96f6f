// A native object: released by close(), or by the cleaner once nothing refers to it.
package org.libpto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;

abstract class Handle implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final VarHandle CHANGER;

  static {
    try {
      CHANGER = MethodHandles.lookup().findVarHandle(Handle.class, "changer", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What is left to do when the object is gone. It must not refer to it, or it would never be gone. */
  abstract static class Release implements Runnable {
    final long address;

    Release(long address) {
      this.address = address;
    }
  }

  private volatile long address;
  // Whose call changes what others rely on, such as the valid region; no other may use this meanwhile.
  private volatile Thread changer;
  private final Cleaner.Cleanable cleanable;

  Handle(Release release) {
    this.address = release.address;
    this.cleanable = CLEANER.register(this, release);
  }

  /** 0 is null, which the library judges. */
  static long address(Handle handle) {
    if (handle == null) return 0;
    long address = handle.address;
    if (address == 0) throw closed(handle);
    return address;
  }

  // 0 once this is closed.
  final long open() {
    return address;
  }

  final boolean changedByAnother() {
    Thread thread = changer;
    return thread != null && thread != Thread.currentThread();
  }

  // Keeps other calls out until changed(), and waits for those that use the handle now. Returns what calls that have no
  // context hold while they use it.
  static Object change(Handle handle) {
    Thread own = Thread.currentThread();
    if (handle == null) return own;
    for (int spins = 0; !CHANGER.compareAndSet(handle, (Thread) null, own); spins++) Gate.pause(spins);
    Gate.awaitCalls(handle.address, true);
    return handle;
  }

  static void changed(Handle handle) {
    if (handle != null) handle.changer = null;
  }

  static IllegalStateException closed(Handle handle) {
    return new IllegalStateException("the " + handle.getClass().getSimpleName() + " is closed");
  }

  /**
   * Returns whether this was closed.
   *
   * @return true after {@link #close}
   */
  public final boolean isClosed() {
    return address == 0;
  }

  /**
   * Returns what this is, such as {@code Tile(F32 2x3)}, or that it is closed.
   *
   * @return one line
   */
  @Override
  public final String toString() {
    String told;
    try {
      told = isClosed() ? "closed" : tells();
    } catch (IllegalStateException e) {
      told = isClosed() ? "closed" : "in use by another thread";
    }
    return getClass().getSimpleName() + "(" + told + ")";
  }

  // What toString() prints of it while it is open.
  abstract String tells();

  /**
   * Gives the native object back. Closing again does nothing, and handles may be closed in any order.
   * A call that uses this on another thread is waited for, calls that use other handles are not; later ones
   * throw IllegalStateException.
   */
  @Override
  public final void close() {
    long closing;
    synchronized (this) {
      closing = address;
      if (closing == 0) return;
      address = 0;
    }
    Gate.awaitCalls(closing, false);
    cleanable.clean();
  }
}
