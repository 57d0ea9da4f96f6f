// A native object: released by close(), or by the cleaner once nothing refers to it.
package org.libpto;

import java.lang.ref.Cleaner;

abstract class Handle implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  /** What is left to do when the object is gone. It must not refer to it, or it would never be gone. */
  abstract static class Release implements Runnable {
    final long address;

    Release(long address) {
      this.address = address;
    }
  }

  private volatile long address;
  private final Cleaner.Cleanable cleanable;

  Handle(Release release) {
    this.address = release.address;
    this.cleanable = CLEANER.register(this, release);
  }

  /** 0 stands for null, which the library judges. */
  static long address(Handle handle) {
    if (handle == null) return 0;
    long address = handle.address;
    if (address == 0) throw closed(handle);
    return address;
  }

  private static IllegalStateException closed(Handle handle) {
    return new IllegalStateException("the " + handle.getClass().getSimpleName() + " is closed");
  }

  /**
   * Answers whether this was closed.
   *
   * @return true after {@link #close}
   */
  public final boolean isClosed() {
    return address == 0;
  }

  /**
   * Answers what this is, such as {@code Tile(F32 2x3)}, or that it is closed.
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

  // What toString() tells of it when it is open.
  abstract String tells();

  /**
   * Gives the native object back. Closing again does nothing, and handles may be closed in any order.
   * A call that uses this on another thread is waited for; later ones throw IllegalStateException.
   */
  @Override
  public final void close() {
    synchronized (this) {
      if (address == 0) return;
      address = 0;
    }
    Gate.awaitCalls();
    cleanable.clean();
  }
}
