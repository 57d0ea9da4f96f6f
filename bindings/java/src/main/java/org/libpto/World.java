package org.libpto;

/**
 * Ranks that exchange data, each with a window of memory that all of them reach.
 *
 * <p>A program runs on the ranks of a world after {@link Program#setWorld}. Or each rank runs on a thread of yours, with
 * a context of {@link #context}.
 */
public final class World extends WorldCalls {
  private static final class Free extends Release {
    Free(long address) {
      super(address);
    }

    @Override
    public void run() {
      Pto.worldFree(address);
    }
  }

  /**
   * Makes a world with zeroed windows of one size.
   *
   * @param ctx the context that judges
   * @param ranks the number of ranks, 1 to 64
   * @param windowBytes the bytes of each rank's window
   * @throws PtoException if a rule is broken: ranks, window-bytes, transport, memory
   */
  public World(Context ctx, int ranks, long windowBytes) {
    this(new Free(Pto.worldMake(ctx, ranks, windowBytes)));
  }

  private World(Free free) {
    super(free);
  }

  // A handle that the library returned.
  static World own(long address) {
    return new World(new Free(address));
  }

  /**
   * Makes a context of a rank, with the profile, target and limits of another context.
   *
   * @param ctx the other context
   * @param rank the rank
   * @return the context
   * @throws PtoException if a rule is broken: rank, memory
   */
  public Context context(Context ctx, int rank) {
    return Context.of(Pto.worldEnter(ctx, this, rank));
  }

  /**
   * Makes a tensor over a part of a rank's window, without a copy.
   *
   * @param ctx the context that judges
   * @param rank the rank whose window it is
   * @param spec dimensions and strides; copied
   * @param offset bytes from the beginning of the window to the first element
   * @return the tensor
   * @throws PtoException if a rule is broken: one of a new tensor's, rank, world-offset, data-alignment, tensor-range
   */
  public Tensor tensor(Context ctx, int rank, TensorSpec spec, long offset) {
    return Tensor.of(ctx, this, rank, spec, offset);
  }

  @Override
  String tells() {
    return ranks() + " ranks, " + transport();
  }
}
