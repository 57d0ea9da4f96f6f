package org.libpto;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * A two-dimensional typed buffer. Its valid region, the rectangle of the first rows and columns, holds data.
 *
 * <p>A byte holds i8 and u8, a short i16, u16, f16 and bf16 (their bits, see {@link Float16}
 * and {@link BFloat16}), an int for i32 and u32, a long for i64 and u64, a float for f32. A ByteBuffer
 * holds elements of any type. Buffers must have the machine's byte order, which a new ByteBuffer does not have before
 * {@code order(ByteOrder.nativeOrder())}; the order does not matter where an element is one byte.
 * Buffers are direct; their elements from position to limit are meant, and the position stays.
 *
 * <p>Any number of threads may read a tile; one that writes it must be alone.
 */
public final class Tile extends TileCalls {
  private static final class Free extends Elements.Free {
    Free(long address, Object memory) {
      super(address, memory);
    }

    @Override
    public void run() {
      Pto.tileFree(address);
    }
  }

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
    this(make(ctx, null, spec, null, 0, 0, null));
  }

  private Tile(Free free) {
    super(free);
  }

  // A handle that the library returned.
  static Tile own(long address) {
    return own(address, null);
  }

  static Tile own(long address, Object memory) {
    return new Tile(new Free(address, memory));
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
   * @throws IllegalArgumentException if the buffer is not direct; or, unless an element is one byte, if its byte order
   *     is not the machine's: a new ByteBuffer is big-endian until {@code order(ByteOrder.nativeOrder())}
   */
  public static Tile wrap(Context ctx, TileSpec spec, ByteBuffer memory) {
    checkDirect(memory, true);
    checkOrder(memory, spec.dtype);
    return new Tile(make(ctx, null, spec, memory, memory.position(), memory.remaining(), memory));
  }

  /**
   * Makes a tile over a rectangle of this one, without a copy (PTO-AS subset). Type, layout and elements
   * are this tile's; it has its own valid region: initially the intersection with the rectangle.
   *
   * @param ctx the context that judges
   * @param row first row; at the border of a box when the tile is boxed
   * @param col first column; at the border of a box when the tile is boxed
   * @param rows rows of the view, at least 1
   * @param cols columns of the view, at least 1
   * @return the view
   * @throws PtoException if a rule is broken, one of: storage, view-range, view-box, memory
   */
  public Tile view(Context ctx, int row, int col, int rows, int cols) {
    return new Tile(new Free(Pto.tilePeek(ctx, this, row, col, rows, cols), memory));
  }

  /**
   * Makes a tile of another geometry over this tile's bytes, without a copy (TRESHAPE, PTO-AS bitcast).
   *
   * @param ctx the context whose profile judges the geometry
   * @param spec the geometry; copied; its storage is ignored
   * @return the tile
   * @throws PtoException if a rule is broken: one of a new tile's, storage, reshape-dense, reshape-boxes, reshape-bytes
   */
  public Tile reshape(Context ctx, TileSpec spec) {
    return new Tile(make(ctx, this, spec, null, 0, 0, memory));
  }

  private static Free make(Context ctx, Tile origin, TileSpec s, Buffer direct, long offset, long bytes,
      Object memory) {
    return new Free(Pto.tileMake(ctx, origin, s.dtype, s.rows, s.cols, s.validRows, s.validCols, s.location, s.blayout, s.slayout,
        s.fractal, s.pad, s.padBits, s.compact, s.storage, direct, offset, bytes), memory);
  }

  @Override
  void move(Context ctx, boolean in, int kind, Buffer data, long offset, long bytes) {
    if (in) {
      Pto.tileWriteDirect(ctx, this, kind, data, offset, bytes);
    } else {
      Pto.tileReadDirect(ctx, this, kind, data, offset, bytes);
    }
  }

  @Override
  long packed(int kind, long bytes) {
    return Pto.tilePacked(this, kind, bytes);
  }

  @Override
  String tells() {
    boolean whole = validRows() == rows() && validCols() == cols();
    return dtype() + " " + rows() + "x" + cols() + (whole ? "" : ", " + validRows() + "x" + validCols() + " valid");
  }
}
