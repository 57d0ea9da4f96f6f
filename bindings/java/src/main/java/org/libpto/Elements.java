// Objects with elements: copies between them and direct buffers, and the memory of a buffer that
// it was wrapped around. Copies from and to arrays are generated.
package org.libpto;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;

abstract class Elements extends Handle {
  // The types of arrays and buffers, for the native code; a ByteBuffer has elements of any.
  private static final int ANY = -1;
  private static final int BYTE = 0;
  private static final int SHORT = 1;
  private static final int INT = 2;
  private static final int LONG = 3;
  private static final int FLOAT = 4;

  abstract static class Free extends Release {
    // Keeps wrapped memory alive as long as the native object; null without such memory.
    final Object memory;

    Free(long address, Object memory) {
      super(address);
      this.memory = memory;
    }
  }

  /** Elements that lie in Java's order, as buffers: of bytes, and of what arrays have. */
  private static final class Packed {
    final long address;
    final ByteBuffer bytes;
    final Buffer elements;

    Packed(long address, long bytes, DType dtype) {
      this.address = address;
      this.bytes = Pto.bufferOver(address, bytes).order(ByteOrder.nativeOrder());
      switch (Pto.dtypeBytes(dtype)) {
        case 1: elements = this.bytes; break;
        case 2: elements = this.bytes.asShortBuffer(); break;
        case 4: elements = dtype == DType.F32 ? this.bytes.asFloatBuffer() : this.bytes.asIntBuffer(); break;
        default: elements = this.bytes.asLongBuffer();
      }
    }
  }

  final Object memory;
  // Replaced when the elements move, as in an on-chip tile. Readers on several threads may each make one.
  private Packed packed;

  Elements(Free free) {
    super(free);
    this.memory = free.memory;
  }

  /**
   * Returns the element type.
   *
   * @return the element type
   */
  public abstract DType dtype();

  abstract void move(Context ctx, boolean in, int kind, Buffer data, long offset, long bytes);

  // The address of the elements if that many bytes are all of them, of that kind and in Java's order; else 0.
  abstract long packed(int kind, long bytes);

  // All elements as a buffer of that kind; null where they are others, or more, or not in Java's order.
  private Buffer elements(int kind, long bytes) {
    long address = bytes > Integer.MAX_VALUE ? 0 : packed(kind, bytes);
    if (address == 0) return null;
    Packed known = packed;
    if (known == null || known.address != address) packed = known = new Packed(address, bytes, dtype());
    return kind == ANY ? known.bytes : known.elements;
  }

  // Between buffers of the same type.
  private static void copy(Buffer to, int at, Buffer from, int first, int count) {
    if (to instanceof ByteBuffer) {
      ((ByteBuffer) to).put(at, (ByteBuffer) from, first, count);
    } else if (to instanceof ShortBuffer) {
      ((ShortBuffer) to).put(at, (ShortBuffer) from, first, count);
    } else if (to instanceof IntBuffer) {
      ((IntBuffer) to).put(at, (IntBuffer) from, first, count);
    } else if (to instanceof LongBuffer) {
      ((LongBuffer) to).put(at, (LongBuffer) from, first, count);
    } else {
      ((FloatBuffer) to).put(at, (FloatBuffer) from, first, count);
    }
  }

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

  // A buffer of bytes is in the order that its own getFloat() and putInt() have; elements of one byte have none.
  static void checkOrder(ByteBuffer buffer, DType dtype) {
    if (Pto.dtypeBytes(dtype) > 1) checkOrder(buffer.order());
  }

  // shift: log2 of the size of the buffer's elements.
  private void writeDirect(Context ctx, int kind, int shift, Buffer data) {
    checkDirect(data, false);
    long bytes = (long) data.remaining() << shift;
    Gate gate = ctx.gate();
    do gate.begin(); while (!(gate.uses(ctx) && gate.uses(this) && gate.runs()));
    try {
      Buffer elements = elements(kind, bytes);
      if (elements != null) {
        copy(elements, 0, data, data.position(), data.remaining());
        return;
      }
    } finally {
      ctx.leave();
      Reference.reachabilityFence(this);
    }
    move(ctx, true, kind, data, (long) data.position() << shift, bytes);
  }

  private void readDirect(Context ctx, int kind, int shift, Buffer data) {
    checkDirect(data, true);
    long bytes = (long) data.remaining() << shift;
    Gate gate = ctx.gate();
    do gate.begin(); while (!(gate.uses(ctx) && gate.uses(this) && gate.runs()));
    try {
      Buffer elements = elements(kind, bytes);
      if (elements != null) {
        copy(data, data.position(), elements, 0, data.remaining());
        return;
      }
    } finally {
      ctx.leave();
      Reference.reachabilityFence(this);
    }
    move(ctx, false, kind, data, (long) data.position() << shift, bytes);
  }

  /**
   * Copies packed elements in: row by row whatever the layout, the last index fastest.
   *
   * @param ctx the context that judges
   * @param data a direct buffer with the bytes of the elements; in the machine's byte order (a new ByteBuffer is
   *     big-endian: call {@code order(ByteOrder.nativeOrder())}), unless an element is one byte
   * @throws PtoException if a rule is broken, one of: byte-count, storage
   * @throws IllegalArgumentException if the buffer is not direct, or in another byte order
   */
  public void write(Context ctx, ByteBuffer data) {
    if (data.order() != ByteOrder.nativeOrder()) checkOrder(data, dtype());
    writeDirect(ctx, ANY, 0, data);
  }

  /**
   * Copies packed elements out: row by row whatever the layout, the last index fastest.
   *
   * @param ctx the context that judges
   * @param data a direct buffer that receives the bytes of the elements; in the machine's byte order, unless an
   *     element is one byte
   * @throws PtoException if a rule is broken, one of: byte-count, storage
   * @throws IllegalArgumentException if the buffer is not direct, or in another byte order
   */
  public void read(Context ctx, ByteBuffer data) {
    if (data.order() != ByteOrder.nativeOrder()) checkOrder(data, dtype());
    readDirect(ctx, ANY, 0, data);
  }

  /**
   * Does what write with an array of {@code short} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, ShortBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, SHORT, 1, data);
  }

  /**
   * Does what read with an array of {@code short} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, ShortBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, SHORT, 1, data);
  }

  /**
   * Does what write with an array of {@code int} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, IntBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, INT, 2, data);
  }

  /**
   * Does what read with an array of {@code int} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, IntBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, INT, 2, data);
  }

  /**
   * Does what write with an array of {@code long} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, LongBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, LONG, 3, data);
  }

  /**
   * Does what read with an array of {@code long} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, LongBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, LONG, 3, data);
  }

  /**
   * Does what write with an array of {@code float} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, FloatBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, FLOAT, 2, data);
  }

  /**
   * Does what read with an array of {@code float} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, FloatBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, FLOAT, 2, data);
  }

  // The first step of write and read with an array: false if the native code has to do it.

  boolean put(byte[] array, int offset, int count) {
    ByteBuffer elements = (ByteBuffer) elements(BYTE, count);
    if (elements != null) elements.put(0, array, offset, count);
    return elements != null;
  }

  boolean get(byte[] array, int offset, int count) {
    ByteBuffer elements = (ByteBuffer) elements(BYTE, count);
    if (elements != null) elements.get(0, array, offset, count);
    return elements != null;
  }

  boolean put(short[] array, int offset, int count) {
    ShortBuffer elements = (ShortBuffer) elements(SHORT, (long) count << 1);
    if (elements != null) elements.put(0, array, offset, count);
    return elements != null;
  }

  boolean get(short[] array, int offset, int count) {
    ShortBuffer elements = (ShortBuffer) elements(SHORT, (long) count << 1);
    if (elements != null) elements.get(0, array, offset, count);
    return elements != null;
  }

  boolean put(int[] array, int offset, int count) {
    IntBuffer elements = (IntBuffer) elements(INT, (long) count << 2);
    if (elements != null) elements.put(0, array, offset, count);
    return elements != null;
  }

  boolean get(int[] array, int offset, int count) {
    IntBuffer elements = (IntBuffer) elements(INT, (long) count << 2);
    if (elements != null) elements.get(0, array, offset, count);
    return elements != null;
  }

  boolean put(long[] array, int offset, int count) {
    LongBuffer elements = (LongBuffer) elements(LONG, (long) count << 3);
    if (elements != null) elements.put(0, array, offset, count);
    return elements != null;
  }

  boolean get(long[] array, int offset, int count) {
    LongBuffer elements = (LongBuffer) elements(LONG, (long) count << 3);
    if (elements != null) elements.get(0, array, offset, count);
    return elements != null;
  }

  boolean put(float[] array, int offset, int count) {
    FloatBuffer elements = (FloatBuffer) elements(FLOAT, (long) count << 2);
    if (elements != null) elements.put(0, array, offset, count);
    return elements != null;
  }

  boolean get(float[] array, int offset, int count) {
    FloatBuffer elements = (FloatBuffer) elements(FLOAT, (long) count << 2);
    if (elements != null) elements.get(0, array, offset, count);
    return elements != null;
  }
}
