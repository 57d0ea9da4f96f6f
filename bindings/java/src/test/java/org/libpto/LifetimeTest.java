// Nothing leaks, nothing is used after its end, whoever closes what, when, and on which thread.
package org.libpto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LifetimeTest {
  // Handles that other tests left to the cleaner must not change the counts of these.
  @BeforeEach
  void settle() throws InterruptedException {
    awaitHandles(0);
  }

  private static void awaitHandles(long wanted) throws InterruptedException {
    for (int i = 0; i < 500 && Pto.liveHandles() > wanted; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertEquals(wanted, Pto.liveHandles());
  }

  @Test
  void aMillionTilesLeaveNothing() {
    try (Context ctx = new Context()) {
      for (int i = 0; i < 1_000_000; i++) new Tile(ctx, DType.F32, 1, 1).close();
      assertEquals(1, Pto.liveHandles());
    }
    assertEquals(0, Pto.liveHandles());
  }

  @Test
  void contextsInstructionsAndFailuresLeaveNothing() {
    try (Context ctx = new Context()) {
      for (int i = 0; i < 100_000; i++) {
        new Context(Profile.A5).close();
        new Inst(ctx, "tpow").close();
        if (i % 10 == 0) assertThrows(PtoException.class, () -> new Tile(ctx, DType.F32, 0, 1));
      }
      assertEquals(1, Pto.liveHandles());
    }
    assertEquals(0, Pto.liveHandles());
  }

  private static void drop(Context ctx) {
    for (int i = 0; i < 100; i++) new Tile(ctx, DType.F32, 8, 8);
    new Context();
    new Inst(ctx, "tpow");
  }

  @Test
  void theCleanerFreesWhatNobodyClosed() throws InterruptedException {
    try (Context ctx = new Context()) {
      drop(ctx);
      awaitHandles(1);
    }
  }

  @Test
  void anyOrderOfClosing() {
    for (int order = 0; order < 6; order++) {
      Context ctx = new Context(Profile.A2A3);
      Tile tile = new Tile(ctx, new TileSpec(DType.F32, 8, 8).storage(Storage.MANUAL));
      ctx.tassign(tile, 64);
      Inst inst = new Inst(ctx, "trsqrt");
      inst.setTile(ctx, 0, tile);
      AutoCloseable[] all = {ctx, tile, inst};
      int first = order / 2;
      int second = (first + 1 + order % 2) % 3;
      for (int i : new int[] {first, second, 3 - first - second}) assertClosed((Handle) all[i]);
    }
    assertEquals(0, Pto.liveHandles());
  }

  private static void assertClosed(Handle handle) {
    handle.close();
    handle.close();
    assertTrue(handle.isClosed());
  }

  @Test
  void aTileOutlivesTheContextItWasMadeWith() {
    Tile tile;
    try (Context ctx = new Context()) {
      tile = new Tile(ctx, DType.I32, 1, 2);
      tile.write(ctx, new int[] {3, 4});
    }
    try (Context other = new Context(); tile) {
      other.tpow(tile, tile, tile);
      int[] out = new int[2];
      tile.read(other, out);
      assertArrayEquals(new int[] {27, 256}, out);
    }
  }

  @Test
  void useAfterCloseIsAnException() {
    Context ctx = new Context();
    Tile open = new Tile(ctx, DType.F32, 1, 1);
    Tile tile = new Tile(ctx, DType.F32, 1, 1);
    Inst inst = new Inst(ctx, "tpow");
    tile.close();
    inst.close();
    assertThrows(IllegalStateException.class, tile::rows);
    assertThrows(IllegalStateException.class, () -> tile.write(ctx, new float[1]));
    assertThrows(IllegalStateException.class, () -> tile.read(ctx, ByteBuffer.allocateDirect(4)));
    assertThrows(IllegalStateException.class, () -> tile.setValid(ctx, 0, 0));
    assertThrows(IllegalStateException.class, () -> ctx.tpow(open, open, tile));
    assertThrows(IllegalStateException.class, () -> ctx.tassign(tile, 0));
    assertThrows(IllegalStateException.class, () -> inst.run(ctx));
    assertThrows(IllegalStateException.class, inst::op);
    ctx.tpow(open, open, open); // the refusals left the context usable
    ctx.close();
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> ctx.tpow(open, open, open));
    assertEquals("the Context is closed", e.getMessage());
    assertThrows(IllegalStateException.class, () -> new Tile(ctx, DType.F32, 1, 1));
    assertThrows(IllegalStateException.class, ctx::profile);
    assertThrows(IllegalStateException.class, () -> open.write(ctx, new float[1]));
    assertThrows(IllegalStateException.class, () -> open.read(ctx, ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder())));
    open.close();
  }

  // A handle in use by another thread is closed: the call must end first. The tile is so
  // large that its memory returns to the system, where a call that continued would crash.
  @Test
  void closingWhileAnotherThreadComputes() throws InterruptedException {
    for (int round = 0; round < 8; round++) {
      Context ctx = new Context();
      Tile tile = new Tile(ctx, DType.F32, 4096, 4096);
      AtomicReference<Throwable> seen = new AtomicReference<>();
      Thread worker = new Thread(() -> {
        try {
          while (true) ctx.tpartadd(tile, tile, tile);
        } catch (Throwable e) {
          seen.set(e);
        }
      });
      worker.start();
      Thread.sleep(10 + round);
      Handle first = round % 2 == 0 ? tile : ctx;
      first.close();
      worker.join();
      tile.close();
      ctx.close();
      assertEquals(IllegalStateException.class, seen.get().getClass());
      assertEquals(round % 2 == 0 ? "the Tile is closed" : "the Context is closed", seen.get().getMessage());
    }
    assertEquals(0, Pto.liveHandles());
  }

  // Were it waited for, the program would have ended by its limit of time.
  @Test
  void closingWaitsForNoCallOfOtherHandles() throws InterruptedException {
    try (Context ctx = new Context();
        Program program = new Program(ctx, "func.func @main() {\n %lo = arith.constant 0 : index\n %hi = arith.constant 9000000000000000000 : index\n"
            + " %one = arith.constant 1 : index\n scf.for %i = %lo to %hi step %one {\n }\n return\n}\n", null)) {
      program.limitSteps(ctx, Long.MAX_VALUE);
      program.limitTime(ctx, 60_000);
      AtomicReference<PtoException> ended = new AtomicReference<>();
      Thread runner = new Thread(() -> {
        while (ended.get() == null) {
          try {
            program.run(ctx, null);
          } catch (PtoException e) {
            ended.set(e);
          } catch (IllegalStateException e) {
            Thread.yield(); // the context is being looked at
          }
        }
      });
      runner.start();
      // In use for a while: by the run.
      for (int seen = 0; seen < 100 && ended.get() == null;) {
        try {
          ctx.profile();
          seen = 0;
          Thread.yield();
        } catch (IllegalStateException e) {
          seen++;
        }
      }
      Context other = new Context();
      Tile tile = new Tile(other, DType.F32, 4, 4);
      Handle[] handles = {tile, new Tensor(other, new TensorSpec(DType.F32, 4, 4)), new Inst(other, "tadd"), new Program(other, "", null), other};
      tile.setValid(other, 2, 2);
      for (Handle handle : handles) handle.close();
      program.stop();
      runner.join();
      assertEquals("stopped", ended.get().rule());
    }
    assertEquals(0, Pto.liveHandles());
  }

  private static final int SIDE = 2048;

  private interface Adds extends AutoCloseable {
    void run();

    @Override
    void close();
  }

  // Adds 1 to every element of a tile: as a call, as the operand of an instruction, as the argument of a program.
  private static Adds adds(String way, Context worker, Tile tile) {
    if (way.equals("call")) return adds(() -> worker.tadds(tile, tile, 1), () -> {});
    if (way.equals("instruction")) {
      Inst inst = new Inst(worker, "tadds");
      inst.setTile(worker, 0, tile);
      inst.setTile(worker, 1, tile);
      inst.setScalar(worker, 2, 1);
      return adds(() -> inst.run(worker), inst);
    }
    String type = "!pto.tile_buf<vec, " + SIDE + "x" + SIDE + "xi32, valid=?x?>";
    Program program = new Program(worker, "func.func @f(%x: " + type + ") {\n %one = arith.constant 1 : i32\n pto.tadds ins(%x, %one : " + type
        + ", i32) outs(%x : " + type + ")\n return\n}\n", null);
    program.bindTile(worker, "x", tile);
    return adds(() -> program.run(worker, null), program);
  }

  private static Adds adds(Body body, AutoCloseable made) {
    return new Adds() {
      @Override
      public void run() {
        body.run();
      }

      @Override
      public void close() {
        if (made instanceof Handle) ((Handle) made).close();
      }
    };
  }

  private static void assertAllTheSame(int[] elements) {
    int others = 0;
    for (int element : elements) others += element == elements[0] ? 0 : 1;
    assertEquals(0, others, "elements that differ from the first one");
  }

  // One thread adds 1 to all elements, again and again; another one sets which elements, in its own context. If it
  // waits for the instruction under way, and keeps the next one out, all of them are the same at any time it looks.
  @ParameterizedTest
  @ValueSource(strings = {"call", "instruction", "program"})
  void aTileIsChangedWhileNoCallUsesIt(String way) throws InterruptedException {
    ByteBuffer memory = ByteBuffer.allocateDirect(4 * SIDE * SIDE).order(ByteOrder.nativeOrder());
    try (Context worker = new Context(); Context ctx = new Context(); Tile tile = Tile.wrap(ctx, new TileSpec(DType.I32, SIDE, SIDE), memory);
        Tile onChip = new Tile(ctx, new TileSpec(DType.I32, SIDE, SIDE).storage(Storage.MANUAL));
        Tile before = new Tile(ctx, new TileSpec(DType.I32, SIDE, SIDE).storage(Storage.MANUAL));
        Adds toTile = adds(way, worker, tile); Adds toOnChip = adds(way, worker, onChip)) {
      ctx.tassign(onChip, 0);
      AtomicReference<Throwable> unexpected = new AtomicReference<>();
      AtomicBoolean done = new AtomicBoolean();
      AtomicLong rounds = new AtomicLong();
      Thread adds = new Thread(() -> {
        try {
          for (; !done.get(); rounds.incrementAndGet()) {
            toTile.run();
            toOnChip.run();
          }
        } catch (Throwable e) {
          unexpected.set(e);
        }
      });
      adds.start();
      int[] elements = new int[SIDE * SIDE];
      for (int change = 0; change < 40 && unexpected.get() == null; change++) {
        for (long seen = rounds.get(); rounds.get() == seen && unexpected.get() == null;) Thread.yield();
        tile.setValid(ctx, 0, SIDE);
        memory.asIntBuffer().get(elements);
        assertAllTheSame(elements);
        tile.setValid(ctx, SIDE, SIDE);
        ctx.tassign(onChip, (change + 1) % 2 * 4L * SIDE * SIDE);
        ctx.tassign(before, change % 2 * 4L * SIDE * SIDE);
        before.read(ctx, elements);
        assertAllTheSame(elements);
      }
      done.set(true);
      adds.join();
      assertNull(unexpected.get());
      assertThrows(PtoException.class, () -> ctx.tassign(null, 0));
    }
    assertEquals(0, Pto.liveHandles());
  }

  // An instruction and a program keep what they were given, and continue with it after its handle is closed.
  @Test
  void operandsMayBeClosed() {
    try (Context ctx = new Context()) {
      for (String way : new String[] {"instruction", "program"}) {
        Tile tile = new Tile(ctx, DType.I32, SIDE, SIDE);
        try (Adds adds = adds(way, ctx, tile)) {
          tile.close();
          adds.run();
        }
      }
    }
    assertEquals(0, Pto.liveHandles());
  }

  // Calls, getters, copies, closes and the collector on the same handles at once: some thousand of them.
  @Test
  void closingUsingAndForgettingOnManyThreads() throws InterruptedException {
    final long end = System.nanoTime() + 60_000_000_000L;
    final AtomicReference<Object[]> shared = new AtomicReference<>();
    final AtomicReference<Throwable> unexpected = new AtomicReference<>();
    final AtomicLong calls = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      boolean renews = number < 2;
      threads.add(new Thread(() -> {
        float[] data = new float[4096];
        try (Context ctx = new Context()) {
          for (int i = 0; (calls.get() < 5000 || refused.get() == 0) && System.nanoTime() < end; i++) {
            if (renews) {
              Object[] old = shared.getAndSet(new Object[] {new Tile(ctx, DType.F32, 64, 64), new Tensor(ctx, new TensorSpec(DType.F32, 64, 64)),
                  new Inst(ctx, "tpartadd"), new Program(ctx, "%d = tpow %a\n", null)});
              if (old != null && i % 3 != 0) for (Object handle : old) ((Handle) handle).close(); // the rest is forgotten
              if (i % 256 == 0) System.gc();
              continue;
            }
            Object[] handles = shared.get();
            if (handles == null) continue;
            Tile tile = (Tile) handles[0];
            Tensor tensor = (Tensor) handles[1];
            Inst inst = (Inst) handles[2];
            Program program = (Program) handles[3];
            Body[] bodies = {() -> ctx.tpartadd(tile, tile, tile), () -> tile.read(ctx, data), () -> ctx.tload(tile, tensor), () -> tile.setValid(ctx, 64, 64),
                () -> tensor.write(ctx, data), () -> inst.setTile(ctx, 0, tile), () -> inst.run(ctx), () -> program.bindTile(ctx, "a", tile),
                () -> program.check(ctx), () -> program.diagnosticText(0), tile::rows, tensor::rank, handles[i % 4]::toString};
            for (Body body : bodies) {
              calls.incrementAndGet();
              try {
                body.run();
              } catch (PtoException | IllegalStateException e) {
                refused.incrementAndGet();
              }
            }
          }
        } catch (Throwable e) {
          unexpected.set(e);
        }
      }));
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    assertNull(unexpected.get());
    assertTrue(calls.get() >= 5000 && refused.get() > 0, calls + " calls, " + refused + " refused");
    shared.set(null);
    awaitHandles(0);
  }

  // The other thread is inside a call nearly all the time that it runs.
  @Test
  void oneThreadAtATimeUsesAContext() throws InterruptedException {
    try (Context ctx = new Context(); Tile tile = new Tile(ctx, DType.F32, 1024, 1024)) {
      AtomicReference<Throwable> unexpected = new AtomicReference<>();
      CountDownLatch begun = new CountDownLatch(1);
      AtomicBoolean done = new AtomicBoolean();
      Thread worker = new Thread(() -> {
        while (!done.get()) {
          try {
            ctx.tpow(tile, tile, tile);
            begun.countDown();
          } catch (IllegalStateException e) {
            assertTrue(e.getMessage().contains("in use by another thread"));
          } catch (Throwable e) {
            unexpected.set(e);
          }
        }
      });
      worker.start();
      begun.await();
      int refused = 0;
      for (long end = System.nanoTime() + 30_000_000_000L; refused < 500 && System.nanoTime() < end;) {
        try {
          ctx.profile();
        } catch (IllegalStateException e) {
          assertTrue(e.getMessage().contains("in use by another thread"), e.getMessage());
          refused++;
        }
      }
      done.set(true);
      worker.join();
      assertNull(unexpected.get());
      assertEquals(500, refused);
      assertEquals(Profile.CPU, ctx.profile());
    }
  }

  @Test
  void aWrappedTileIsTheBuffersMemoryAndKeepsIt() throws InterruptedException {
    List<Tile> tiles = new ArrayList<>();
    try (Context ctx = new Context()) {
      for (int i = 0; i < 200; i++) {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());
        memory.asFloatBuffer().put(0, i).put(1, 2);
        tiles.add(Tile.wrap(ctx, new TileSpec(DType.F32, 128, 128), memory));
      }
      System.gc();
      Thread.sleep(50);
      float[] out = new float[128 * 128];
      for (int i = 0; i < tiles.size(); i++) {
        tiles.get(i).read(ctx, out);
        assertEquals(i, out[0]);
      }
      ByteBuffer memory = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
      memory.position(8);
      try (Tile tile = Tile.wrap(ctx, new TileSpec(DType.F32, 2, 2), memory)) {
        tile.write(ctx, new float[] {1, 2, 3, 4});
        ctx.tpartadd(tile, tile, tile);
      }
      assertEquals(8f, memory.getFloat(20));
      assertEquals(0f, memory.getFloat(4));
      assertEquals(8, memory.position());
    }
    tiles.forEach(Tile::close);
  }

  // The instruction is all that still refers to the tile, and through it to the buffer.
  @Test
  void anInstructionKeepsWrappedMemory() throws InterruptedException {
    try (Context ctx = new Context(); Inst inst = new Inst(ctx, "tpartadd"); Tile out = new Tile(ctx, DType.F32, 256, 256)) {
      inst.setTile(ctx, 0, out);
      for (int operand = 1; operand <= 2; operand++) {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 18).order(ByteOrder.nativeOrder());
        memory.asFloatBuffer().put(65535, 21);
        try (Tile tile = Tile.wrap(ctx, new TileSpec(DType.F32, 256, 256), memory)) {
          inst.setTile(ctx, operand, tile);
        }
      }
      for (int i = 0; i < 5; i++) {
        System.gc();
        ByteBuffer.allocateDirect(1 << 18);
        Thread.sleep(5);
      }
      inst.run(ctx);
      float[] sums = new float[65536];
      out.read(ctx, sums);
      assertEquals(42f, sums[65535]);
    }
  }

  private static volatile Object sink;

  private interface Body {
    void run();
  }

  private static long allocatedBy(Body body) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 20_000; i++) body.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) body.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void successAllocatesNothing() {
    try (Context ctx = new Context(); Tile tile = new Tile(ctx, DType.F32, 4, 4)) {
      float[] array = new float[16];
      ByteBuffer direct = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
      // The counter itself and a compiled loop's entry may cost some bytes, but not one a call.
      assertTrue(allocatedBy(() -> ctx.tpow(tile, tile, tile)) < 10_000);
      assertTrue(allocatedBy(() -> tile.write(ctx, array)) < 10_000);
      assertTrue(allocatedBy(() -> tile.read(ctx, array)) < 10_000);
      assertTrue(allocatedBy(() -> tile.write(ctx, direct)) < 10_000);
      assertTrue(allocatedBy(() -> tile.read(ctx, direct)) < 10_000);
      assertTrue(allocatedBy(() -> tile.setValid(ctx, 4, 4)) < 10_000);
      assertTrue(allocatedBy(tile::dtype) < 10_000);
      assertTrue(allocatedBy(() -> sink = new int[1]) > 1_000_000, "the counter counts");
    }
  }
}
