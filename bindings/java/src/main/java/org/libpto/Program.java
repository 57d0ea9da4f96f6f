package org.libpto;

import java.nio.charset.StandardCharsets;

/**
 * A PTO-AS program: text that was read, what is wrong with it, what its arguments are bound to.
 *
 * <p>A program with errors is created, too, so that its diagnostics can be read; {@link #check} and
 * {@link #run} refuse it.
 */
public final class Program extends ProgramCalls {
  private static final class Free extends Keeper.Free {
    Free(long address) {
      super(address);
    }

    @Override
    public void run() {
      Pto.programFree(address);
    }
  }

  /**
   * Reads a program, in any of its spellings.
   *
   * @param ctx the context that judges
   * @param text the program
   * @param name what diagnostics call the text, such as its file name; null for "program"
   */
  public Program(Context ctx, String text, String name) {
    this(read(ctx, text.getBytes(StandardCharsets.UTF_8), name));
  }

  private Program(Free free) {
    super(free);
  }

  private static Free read(Context ctx, byte[] text, String name) {
    return new Free(Pto.programMake(ctx, text, name));
  }

  /**
   * Runs a function of the program as {@link #run} does, on its own thread, and ends it when the
   * calling thread is interrupted.
   *
   * @param ctx the context: its profile applies, and it executes the instructions
   * @param entry the function's name; null for {@link #entry}
   * @throws InterruptedException if the calling thread was interrupted; the run is over then, and its
   *     own error, if any, is suppressed in this one
   * @throws PtoException as of {@link #run}
   */
  public void runInterruptibly(Context ctx, String entry) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread runner =
        new Thread(
            () -> {
              try {
                run(ctx, entry);
              } catch (Throwable thrown) {
                failure[0] = thrown;
              }
            },
            "pto-run");
    runner.setDaemon(true);
    runner.start();
    InterruptedException interrupted = null;
    while (true) {
      try {
        runner.join();
        break;
      } catch (InterruptedException e) {
        interrupted = e;
        stop();
      }
    }
    if (interrupted != null) {
      forgetStop(); // it may have come when the run was over
      if (failure[0] != null) interrupted.addSuppressed(failure[0]);
      throw interrupted;
    }
    if (failure[0] instanceof Error) throw (Error) failure[0];
    if (failure[0] != null) throw (RuntimeException) failure[0];
  }

  @Override
  public synchronized void bindTile(Context ctx, String arg, Tile tile) {
    super.bindTile(ctx, arg, tile);
    keep(arg, tile);
  }

  @Override
  public synchronized void bindTensor(Context ctx, String arg, Tensor tensor) {
    super.bindTensor(ctx, arg, tensor);
    keep(arg, tensor);
  }

  // The tile may lie in the memory of anything that is bound.
  @Override
  public synchronized Tile tile(Context ctx, String name) {
    Object memories = operands.stream().filter(bound -> bound != null && bound.memory != null).map(bound -> bound.memory).toList();
    Gate gate = ctx.gate();
    do gate.begin(); while (!(gate.uses(ctx) && gate.uses(this) && gate.runs()));
    try {
      return Tile.own(PtoJNI.programTile(Handle.address(ctx), Handle.address(this), name), memories);
    } finally {
      ctx.leave();
    }
  }

  @Override
  String tells() {
    return entry() + ", " + diagnosticCount() + " diagnostics";
  }
}
