package org.libpto;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A PTO-AS program: text that was read, what is wrong with it, what its arguments are bound to.
 *
 * <p>A text with errors makes a program too, so that its diagnostics can be read; {@link #check} and
 * {@link #run} refuse it.
 */
public final class Program extends ProgramCalls {
  private static final class Free extends Release {
    // Memory that the native program reaches through what is bound to it, by argument.
    final Map<String, Object> memory = new HashMap<>();

    Free(long address) {
      super(address);
    }

    @Override
    public void run() {
      Pto.programFree(address);
    }
  }

  private final Map<String, Object> memory;

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
    this.memory = free.memory;
  }

  private static Free read(Context ctx, byte[] text, String name) {
    return new Free(Pto.programMake(ctx, text, name));
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

  private void keep(String arg, Elements elements) {
    if (elements == null || elements.memory == null) {
      memory.remove(arg);
    } else {
      memory.put(arg, elements.memory);
    }
  }

  // The tile may lie in the memory of anything that is bound.
  @Override
  public synchronized Tile tile(Context ctx, String name) {
    ctx.enter();
    try {
      return Tile.own(PtoJNI.programTile(Handle.address(ctx), Handle.address(this), name), List.copyOf(memory.values()));
    } finally {
      ctx.leave();
    }
  }
}
