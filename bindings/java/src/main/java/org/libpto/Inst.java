package org.libpto;

import java.util.Objects;

/** An instruction with its operands, for interpreters; programs call the methods of {@link Context}. */
public final class Inst extends InstCalls {
  private static final class Free extends Keeper.Free {
    Free(long address) {
      super(address);
    }

    @Override
    public void run() {
      Pto.instFree(address);
    }
  }

  /**
   * Makes an instruction whose operands are not set yet.
   *
   * @param ctx the context that judges
   * @param name the mnemonic, such as "tpow"
   * @throws PtoException if no instruction is called so
   */
  public Inst(Context ctx, String name) {
    this(new Free(Pto.instMake(ctx, Objects.requireNonNull(name, "name"))));
  }

  private Inst(Free free) {
    super(free);
  }

  @Override
  public synchronized void setTile(Context ctx, int index, Tile tile) {
    super.setTile(ctx, index, tile);
    keep(index, tile);
  }

  @Override
  public synchronized void setTensor(Context ctx, int index, Tensor tensor) {
    super.setTensor(ctx, index, tensor);
    keep(index, tensor);
  }

  @Override
  String tells() {
    return Op.of(op()).toString();
  }
}
