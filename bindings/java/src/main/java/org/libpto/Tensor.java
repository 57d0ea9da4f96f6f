package org.libpto;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Global memory: up to five dimensions of elements, each with its stride. Instructions such as TLOAD and
 * TSTORE move elements between tensors and tiles.
 *
 * <p>Java's types correspond to element types as in a {@link Tile}.
 */
public final class Tensor extends TensorCalls {
  private static final class Free extends Elements.Free {
    Free(long address, Object memory) {
      super(address, memory);
    }

    @Override
    public void run() {
      Pto.tensorFree(address);
    }
  }

  /**
   * Makes a tensor that owns zeroed memory.
   *
   * @param ctx the context that judges
   * @param spec dimensions and strides; copied
   * @throws PtoException if these are refused
   */
  public Tensor(Context ctx, TensorSpec spec) {
    this(make(ctx, null, null, 0, spec, null, 0, 0, null));
  }

  private Tensor(Free free) {
    super(free);
  }

  // A handle that the library returned.
  static Tensor own(long address) {
    return new Tensor(new Free(address, null));
  }

  /**
   * Makes a tensor over a buffer's memory, without a copy. The tensor keeps the buffer alive.
   *
   * @param ctx the context that judges
   * @param spec dimensions and strides; copied
   * @param memory a direct buffer; at its position is the element with all indices 0
   * @return the tensor
   * @throws PtoException if the dimensions are refused, or the buffer too small or not aligned
   * @throws IllegalArgumentException if the buffer is not direct; or, unless an element is one byte, if its byte order
   *     is not the machine's: a new ByteBuffer is big-endian until {@code order(ByteOrder.nativeOrder())}
   */
  public static Tensor wrap(Context ctx, TensorSpec spec, ByteBuffer memory) {
    checkDirect(memory, true);
    checkOrder(memory, spec.dtype);
    return new Tensor(make(ctx, null, null, 0, spec, memory, memory.position(), memory.remaining(), memory));
  }

  /**
   * Makes a tensor over a part of this one's memory, without a copy. A window has this tensor's strides and
   * offset = sum of first index * stride; other dimensions, strides and element types are legal too.
   *
   * @param ctx the context that judges
   * @param spec dimensions and strides; copied
   * @param offset elements of the view's type from this tensor's first element to the view's, 0 or more
   * @return the view
   * @throws PtoException if a rule is broken: one of a new tensor's, data-alignment, tensor-range
   */
  public Tensor view(Context ctx, TensorSpec spec, long offset) {
    return new Tensor(make(ctx, this, null, 0, spec, null, offset, 0, memory));
  }

  // Over a part of the window of a rank.
  static Tensor of(Context ctx, World world, int rank, TensorSpec spec, long offset) {
    return new Tensor(make(ctx, null, world, rank, spec, null, offset, 0, null));
  }

  private static Free make(Context ctx, Tensor origin, World world, int ofRank, TensorSpec s, Buffer direct, long offset,
      long bytes, Object memory) {
    long[] d = s.dims;
    long[] t = s.strides;
    return new Free(Pto.tensorMake(ctx, origin, world, ofRank, s.dtype, s.layout, s.rank, s.strided ? 1 : 0, d[0], d[1],
        d[2], d[3], d[4], t[0], t[1], t[2], t[3], t[4], direct, offset, bytes), memory);
  }

  @Override
  void move(Context ctx, boolean in, int kind, Buffer data, long offset, long bytes) {
    if (in) {
      Pto.tensorWriteDirect(ctx, this, kind, data, offset, bytes);
    } else {
      Pto.tensorReadDirect(ctx, this, kind, data, offset, bytes);
    }
  }

  @Override
  long packed(int kind, long bytes) {
    return Pto.tensorPacked(this, kind, bytes);
  }

  @Override
  String tells() {
    StringBuilder dims = new StringBuilder();
    for (int i = 0; i < rank(); i++) dims.append(i == 0 ? "" : "x").append(dim(i));
    return dtype() + " " + dims;
  }
}
