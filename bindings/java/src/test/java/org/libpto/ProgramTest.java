// PTO-AS programs: what they compute, what is bound to them, how they end, what is wrong with them.
package org.libpto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProgramTest extends WithContext {
  @Test
  void programs() {
    String text = "# \u00e4\ud83d\ude00\n%d = tpow %base, %exp, %tmp : !pto.tile<...>\n";
    try (Program program = new Program(ctx, text, "t.pto"); Tile exp = new Tile(ctx, DType.F32, 1, 2)) {
      ByteBuffer memory = direct(8);
      memory.asFloatBuffer().put(0, 3).put(1, 5);
      exp.write(ctx, new float[] {2, 2});
      program.bindTile(ctx, "base", Tile.wrap(ctx, new TileSpec(DType.F32, 1, 2), memory));
      program.bindTile(ctx, "exp", exp);
      program.bindTile(ctx, "tmp", exp);
      program.check(ctx);
      program.run(ctx, null);
      try (Tile d = program.tile(ctx, "d")) {
        assertHolds(d, 9, 25);
      }
      assertEquals(ArgKind.TILE, program.argKind(null, 0));
      assertTrue(program.steps() > 0);
      assertTrue(program.print(ctx, Form.SSA).contains("pto.tpow"));
      assertEquals("argument-name", refusal(() -> program.tile(ctx, "nothing")).rule());
      program.bindTile(ctx, "exp", null);
      assertEquals("unbound-argument", refusal(() -> program.run(ctx, null)).rule());
    }
    try (Program wrong = new Program(ctx, "%d = tpower %a", null)) {
      PtoException e = refusal(() -> wrong.run(ctx, null));
      assertEquals(Status.PROGRAM, e.status());
      assertTrue(wrong.diagnosticError(0));
      assertEquals(1, wrong.diagnosticLine(0));
      assertEquals("operand-value", refusal(() -> wrong.print(ctx, Form.UNRECOGNIZED)).rule());
    }
    Program closed = new Program(ctx, "", null);
    closed.close();
    assertThrows(IllegalStateException.class, closed::steps);
    assertThrows(IllegalStateException.class, () -> closed.run(ctx, null));
  }

  // y = x + x, and n times more; the tile of the last sum stays.
  private static final String SUMS = """
      module attributes {pto.target_arch = "a5"} {
        func.func @sums(%x: !pto.partition_tensor_view<2x8xf32>, %y: !pto.partition_tensor_view<2x8xf32>, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
          pto.tload ins(%x : !pto.partition_tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
          scf.for %i = %c0 to %n step %c1 {
            pto.tpartadd ins(%t, %t : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
          }
          pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%y : !pto.partition_tensor_view<2x8xf32>)
          return
        }
      }
      """;

  @Test
  void programsComputeOnBuffers() {
    ByteBuffer from = direct(64);
    ByteBuffer to = direct(64);
    for (int i = 0; i < 16; i++) from.putFloat(4 * i, i);
    TensorSpec spec = new TensorSpec(DType.F32, 2, 8);
    try (Program program = new Program(ctx, SUMS, "sums.pto")) {
      program.check(ctx);
      program.bindTensor(ctx, "x", Tensor.wrap(ctx, spec, from));
      program.bindTensor(ctx, "1", Tensor.wrap(ctx, spec, to)); // by position
      program.bindInt(ctx, "n", 3);
      program.setTrace(ctx, true);
      program.run(ctx, "sums");
      for (int i = 0; i < 16; i++) assertEquals(8f * i, to.getFloat(4 * i));
      assertTrue(program.trace(ctx).contains("tpartadd"));
      assertTrue(program.report(ctx).startsWith("<!doctype html>"));
      int fields = EventField.EVENT_TILES.value() + 1;
      byte[] events = new byte[(int) program.eventCount(EventPart.EVENTS) * fields * 8];
      program.readEvents(ctx, EventPart.EVENTS, 0, fields, events);
      ByteBuffer event = ByteBuffer.wrap(events).order(java.nio.ByteOrder.LITTLE_ENDIAN);
      assertEquals(8, event.getLong(8 * EventField.EVENT_COLS.value()));
      assertEquals("null", assertThrows(PtoException.class, () -> program.readEvents(ctx, EventPart.EVENTS, 0, 1, null)).rule());
      assertTrue(program.steps() > 3);
      assertEquals(0, program.diagnosticCount());
      assertEquals(1, program.tileCount());
      assertEquals("t", program.tileName(0));
      try (Tile last = program.tile(ctx, "t")) {
        assertEquals(2, last.rows());
        float[] sums = new float[16];
        last.read(ctx, sums);
        assertEquals(8f, sums[1]);
      }
      assertEquals("sums", program.entry());
      assertEquals(Profile.A5, program.profile());
      assertEquals(DType.F32, program.argDtype(null, 0));
      assertNull(program.argDtype(null, 2));
      assertEquals(3, program.argCount(null));
      assertEquals("y", program.argName(null, 1));
      assertEquals(ArgKind.TENSOR, program.argKind(null, 1));
      assertEquals(ArgKind.INT, program.argKind(null, 2));
      assertFalse(program.argOptional(null, 0));
      assertEquals(-1, program.argCount("none"));
      assertEquals("argument-kind", refusal(() -> program.argTile(ctx, null, 0)).rule());
    }
    String takes = "func.func @f(%t: !pto.tile_buf<vec, 4x8xf16>) {\n  return\n}\n";
    try (Program program = new Program(ctx, takes, null); Tile made = program.argTile(ctx, null, 0)) {
      assertEquals(DType.F16, made.dtype());
      assertEquals(8, made.cols());
      assertNull(program.profile());
      program.bindTile(ctx, "t", made);
      program.run(ctx, null);
    }
  }

  @Test
  void bindingsThatDoNotFit() {
    try (Program program = new Program(ctx, SUMS, "sums.pto");
        Tensor x = new Tensor(ctx, new TensorSpec(DType.F32, 2, 8));
        Tensor halves = new Tensor(ctx, new TensorSpec(DType.F16, 2, 8));
        Tensor few = new Tensor(ctx, new TensorSpec(DType.F32, 2, 7));
        Tile tile = new Tile(ctx, DType.F32, 2, 8)) {
      program.bindTensor(ctx, "x", x);
      program.bindInt(ctx, "n", 1);
      assertStops(program, "unbound-argument");
      for (Tensor wrong : new Tensor[] {halves, few}) {
        program.bindTensor(ctx, "y", wrong);
        assertStops(program, "argument-type");
      }
      program.bindTile(ctx, "y", tile);
      assertStops(program, "argument-kind");
      program.bindTensor(ctx, "y", x);
      program.bindFloat(ctx, "n", .5);
      assertStops(program, "argument-kind");
      program.bindInt(ctx, "n", 1);
      program.bindTensor(ctx, "m", x);
      assertStops(program, "argument-name");
      program.bindTensor(ctx, "m", null);
      program.run(ctx, null);
      assertEquals("unknown-entry", refusal(() -> program.run(ctx, "none")).rule());
      program.limitSteps(ctx, 2);
      assertStops(program, "step-limit");
      assertEquals("blocks", refusal(() -> program.setBlocks(ctx, 0)).rule());
    }
  }

  @Test
  @Timeout(60)
  void anInterruptEndsARun() throws Exception {
    String endless =
        "func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
            + " %n = arith.constant 9000000000000000000 : index\n"
            + " scf.for %i = %c0 to %n step %c1 {\n }\n return\n}\n";
    try (Program program = new Program(ctx, endless, "t.pto")) {
      program.limitSteps(ctx, Long.MAX_VALUE);
      Thread caller = Thread.currentThread();
      for (int round = 0; round < 20; round++) {
        Thread other = new Thread(caller::interrupt);
        other.start();
        assertThrows(InterruptedException.class, () -> program.runInterruptibly(ctx, null));
        other.join();
        assertFalse(Thread.currentThread().isInterrupted());
      }
      // Nothing of it is left for the next run, and a run's own error is the caller's.
      program.limitTime(ctx, 5);
      PtoException e = assertThrows(PtoException.class, () -> program.runInterruptibly(ctx, null));
      assertEquals("time-limit", e.rule());
      program.stop();
      assertStops(program, "stopped");
      program.stop();
      program.forgetStop();
      assertStops(program, "time-limit");
    }
  }

  private void assertStops(Program program, String rule) {
    PtoException e = refusal(() -> program.run(ctx, null));
    assertEquals(rule, e.rule());
    int last = program.diagnosticCount() - 1;
    assertTrue(program.diagnosticError(last));
    assertEquals(rule, program.diagnosticRule(last));
  }

  @Test
  void diagnosticsSayWhere() {
    try (Program program = new Program(ctx, "%a = trsqrt %b\n%d = = tpow %a\n", "bad.pto")) {
      assertTrue(program.diagnosticError(0));
      assertEquals(2, program.diagnosticLine(0));
      assertEquals(6, program.diagnosticColumn(0));
      String[] excerpt = program.diagnosticExcerpt(0).split("\n");
      assertTrue(excerpt[0].contains("%d = = tpow %a") && excerpt[1].contains("^"), program.diagnosticExcerpt(0));
      String head = "bad.pto:2:6: error: " + program.diagnosticMessage(0) + " [" + program.diagnosticRule(0) + "]\n";
      assertTrue(program.diagnosticText(0).startsWith(head), program.diagnosticText(0));
      assertTrue(program.diagnosticText(0).contains(program.diagnosticRemedy(0)));
      assertNull(program.diagnosticText(99));
      assertEquals("program-errors", refusal(() -> program.run(ctx, null)).rule());
    }
  }
}
