// What holds elements: copies between it and direct buffers, and the memory of a buffer that
// it was wrapped around. Copies from and to arrays are generated.
package org.libpto;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;

abstract class Elements extends Handle {
  abstract static class Free extends Release {
    // What keeps wrapped memory alive as long as the native object; null where there is none.
    final Object memory;

    Free(long address, Object memory) {
      super(address);
      this.memory = memory;
    }
  }

  final Object memory;

  Elements(Free free) {
    super(free);
    this.memory = free.memory;
  }

  // kind: the type of the buffer's elements, for the native code.
  abstract void move(Context ctx, boolean in, int kind, Buffer data, long offset, long bytes);

  static void checkDirect(Buffer buffer, boolean written) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the buffer is on the heap where a direct one is needed; pass the array, or use ByteBuffer.allocateDirect");
    }
    if (written && buffer.isReadOnly()) throw new ReadOnlyBufferException();
  }

  private static void checkOrder(ByteOrder order) {
    if (order != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException("the buffer's byte order is " + order + " where the machine's is " + ByteOrder.nativeOrder()
          + "; use ByteBuffer.order(ByteOrder.nativeOrder())");
    }
  }

  // kind and shift: the type of the buffer's elements for the native code, and log2 of their size.
  private void writeDirect(Context ctx, int kind, int shift, Buffer data) {
    checkDirect(data, false);
    move(ctx, true, kind, data, (long) data.position() << shift, (long) data.remaining() << shift);
  }

  private void readDirect(Context ctx, int kind, int shift, Buffer data) {
    checkDirect(data, true);
    move(ctx, false, kind, data, (long) data.position() << shift, (long) data.remaining() << shift);
  }

  /**
   * Copies packed elements in: row by row whatever the layout, the last index fastest.
   *
   * @param ctx the context that judges
   * @param data a direct buffer with the bytes of the elements
   * @throws PtoException if a rule is broken, one of: byte-count, storage
   */
  public void write(Context ctx, ByteBuffer data) {
    writeDirect(ctx, -1, 0, data);
  }

  /**
   * Copies packed elements out: row by row whatever the layout, the last index fastest.
   *
   * @param ctx the context that judges
   * @param data a direct buffer that receives the bytes of the elements
   * @throws PtoException if a rule is broken, one of: byte-count, storage
   */
  public void read(Context ctx, ByteBuffer data) {
    readDirect(ctx, -1, 0, data);
  }

  /**
   * Does what write with an array of {@code short} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, ShortBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 1, 1, data);
  }

  /**
   * Does what read with an array of {@code short} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, ShortBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 1, 1, data);
  }

  /**
   * Does what write with an array of {@code int} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, IntBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 2, 2, data);
  }

  /**
   * Does what read with an array of {@code int} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, IntBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 2, 2, data);
  }

  /**
   * Does what write with an array of {@code long} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, LongBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 3, 3, data);
  }

  /**
   * Does what read with an array of {@code long} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, LongBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 3, 3, data);
  }

  /**
   * Does what write with an array of {@code float} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, FloatBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 4, 2, data);
  }

  /**
   * Does what read with an array of {@code float} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, FloatBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 4, 2, data);
  }
}
