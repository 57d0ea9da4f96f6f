package org.libpto;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;

/**
 * A two-dimensional typed buffer, a prefix rectangle of which holds data.
 *
 * <p>A byte stands for i8 and u8, a short for i16, u16, f16 and bf16 (their bits, see {@link Float16}
 * and {@link BFloat16}), an int for i32 and u32, a long for i64 and u64, a float for f32. A ByteBuffer
 * holds elements of any type in the machine's byte order; the other buffers must have that order.
 * Buffers are direct; their elements from position to limit are meant, and the position stays.
 *
 * <p>Any number of threads may read a tile; one that writes it must be alone.
 */
public final class Tile extends TileCalls {
  private static final class Free extends Release {
    // Wrapped memory, which must outlive the native tile.
    final Buffer memory;

    Free(long address, Buffer memory) {
      super(address);
      this.memory = memory;
    }

    @Override
    public void run() {
      Pto.tileFree(address);
    }
  }

  final Buffer memory;

  /**
   * Makes a row-major vector tile that owns zeroed memory, all of it valid.
   *
   * @param ctx the context whose profile judges the geometry
   * @param dtype element type
   * @param rows rows, at least 1
   * @param cols columns, at least 1; under A2A3 and A5 a row is a multiple of 32 bytes
   * @throws PtoException if the geometry is refused
   */
  public Tile(Context ctx, DType dtype, int rows, int cols) {
    this(ctx, new TileSpec(dtype, rows, cols));
  }

  /**
   * Makes a tile of any geometry.
   *
   * @param ctx the context whose profile judges the geometry
   * @param spec the geometry; copied
   * @throws PtoException if the geometry is refused
   */
  public Tile(Context ctx, TileSpec spec) {
    this(make(ctx, spec, null, 0, 0));
  }

  private Tile(Free free) {
    super(free);
    this.memory = free.memory;
  }

  /**
   * Makes a tile over a buffer's memory, without a copy: what is written into one is seen in the
   * other. The tile keeps the buffer alive.
   *
   * @param ctx the context whose profile judges the geometry
   * @param spec the geometry; copied
   * @param memory a direct buffer; its position is the first element, in the order of the layout
   * @return the tile
   * @throws PtoException if the geometry is refused, or the buffer too small or not aligned
   * @throws IllegalArgumentException if the buffer is not direct
   */
  public static Tile wrap(Context ctx, TileSpec spec, ByteBuffer memory) {
    checkDirect(memory, true);
    return new Tile(make(ctx, spec, memory, memory.position(), memory.remaining()));
  }

  private static Free make(Context ctx, TileSpec s, Buffer memory, long offset, long bytes) {
    return new Free(Pto.tileMake(ctx, s.dtype, s.rows, s.cols, s.validRows, s.validCols, s.location, s.blayout, s.slayout,
        s.fractal, s.pad, s.storage, memory, offset, bytes), memory);
  }

  private static void checkDirect(Buffer buffer, boolean written) {
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
    Pto.tileWriteDirect(ctx, this, kind, data, (long) data.position() << shift, (long) data.remaining() << shift);
  }

  private void readDirect(Context ctx, int kind, int shift, Buffer data) {
    checkDirect(data, true);
    Pto.tileReadDirect(ctx, this, kind, data, (long) data.position() << shift, (long) data.remaining() << shift);
  }

  /**
   * Copies packed elements of the tile's type into the valid region, row by row, whatever the layout.
   *
   * @param ctx the context that judges
   * @param data a direct buffer with the bytes of the elements
   * @throws PtoException if a rule is broken, one of: byte-count, storage
   */
  public void write(Context ctx, ByteBuffer data) {
    writeDirect(ctx, -1, 0, data);
  }

  /**
   * Copies the valid region out as packed elements of the tile's type, row by row, whatever the layout.
   *
   * @param ctx the context that judges
   * @param data a direct buffer that receives the bytes of the elements
   * @throws PtoException if a rule is broken, one of: byte-count, storage
   */
  public void read(Context ctx, ByteBuffer data) {
    readDirect(ctx, -1, 0, data);
  }

  /**
   * Does what {@link #write(Context, short[])} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, ShortBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 0, 1, data);
  }

  /**
   * Does what {@link #read(Context, short[])} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, ShortBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 0, 1, data);
  }

  /**
   * Does what {@link #write(Context, int[])} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, IntBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 1, 2, data);
  }

  /**
   * Does what {@link #read(Context, int[])} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, IntBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 1, 2, data);
  }

  /**
   * Does what {@link #write(Context, long[])} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, LongBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 2, 3, data);
  }

  /**
   * Does what {@link #read(Context, long[])} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, LongBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 2, 3, data);
  }

  /**
   * Does what {@link #write(Context, float[])} does, from a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void write(Context ctx, FloatBuffer data) {
    checkOrder(data.order());
    writeDirect(ctx, 3, 2, data);
  }

  /**
   * Does what {@link #read(Context, float[])} does, into a direct buffer.
   *
   * @param ctx the context that judges
   * @param data a direct buffer in the machine's byte order
   */
  public void read(Context ctx, FloatBuffer data) {
    checkOrder(data.order());
    readDirect(ctx, 3, 2, data);
  }
}
