package org.libpto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class WorldTest extends WithContext {
  private static String ruleOf(Executable call) {
    return assertThrows(PtoException.class, call).rule();
  }

  private static TensorSpec spec(DType dtype, long count) {
    return new TensorSpec(dtype, count);
  }

  @Test
  void ranksOnThreads() throws InterruptedException {
    try (World world = new World(ctx, 2, 4096)) {
      assertEquals(2, world.ranks());
      assertEquals(4096, world.windowBytes());
      assertEquals("local", world.transport());
      assertEquals("World(2 ranks, local)", world.toString());
      Context first = world.context(ctx, 0);
      Context second = world.context(ctx, 1);
      assertEquals(1, second.rank());
      Tensor from = world.tensor(ctx, 0, spec(DType.F32, 4), 64);
      Tensor to = world.tensor(ctx, 1, spec(DType.F32, 4), 64);
      Tensor signal = world.tensor(ctx, 1, spec(DType.I32, 1), 0);
      from.write(ctx, new float[] {1, 2, 3, 4});
      Thread sender = new Thread(() -> {
        first.commTput(to, from, null, null, Atomic.NONE);
        first.commTnotify(signal, 1, Notify.SET);
      });
      sender.start();
      second.commTwait(signal, 1, WaitCmp.EQ);
      sender.join();
      float[] got = new float[4];
      to.read(ctx, got);
      assertArrayEquals(new float[] {1, 2, 3, 4}, got);
      assertTrue(second.ttest(signal, 1, WaitCmp.EQ));
      assertFalse(second.ttest(signal, 2, WaitCmp.EQ));
      assertEquals("signal-own", ruleOf(() -> first.ttest(signal, 1, WaitCmp.EQ)));

      Group group = new Group(ctx, 0, from, to);
      assertEquals("Group(2 members, the root is 0)", group.toString());
      first.commAllreduce(group, null, null, null, Reduce.SUM);
      to.read(ctx, got);
      assertArrayEquals(new float[] {2, 4, 6, 8}, got);
      assertEquals("group-root", ruleOf(() -> second.commAllreduce(group, null, null, null, Reduce.SUM)));
      second.commAllreduceSegment(group, null, null, null, Reduce.SUM);
      from.read(ctx, got);
      assertArrayEquals(new float[] {2, 4, 12, 16}, got);

      long event = first.tputAsync(to, from, 3);
      assertTrue(first.testAsyncEvent(event, 3));
      first.commWaitAsyncEvent(event, 3);
      assertEquals("async-event", ruleOf(() -> first.testAsyncEvent(event + 1, 3)));
      assertEquals("async-event", ruleOf(() -> first.tputAsync(to, from, 8)));

      world.limitWait(ctx, 10);
      assertEquals("time-limit", ruleOf(() -> world.context(ctx, 0).commTwait(world.tensor(ctx, 0, spec(DType.I32, 1), 0), 1, WaitCmp.EQ)));
    }
    assertEquals("ranks", ruleOf(() -> new World(ctx, 65, 1)));
    assertEquals("group", ruleOf(() -> new Group(ctx, 64)));
  }

  @Test
  void programOnRanks() {
    String text = """
        func.func @add(%own: !pto.ptr<f32>, %next: !pto.ptr<f32>, %sig: !pto.ptr<i32>, %nsig: !pto.ptr<i32>) attributes {pto.entry} {
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %i1 = arith.constant 1 : i32
          %a = pto.make_tensor_view %own, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xf32>
          %b = pto.make_tensor_view %next, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xf32>
          %s = pto.make_tensor_view %sig, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>
          %n = pto.make_tensor_view %nsig, shape = [%c1, %c1], strides = [%c1, %c1] : !pto.tensor_view<1x1xi32>
          %t = pto.alloc_tile : !pto.tile_buf<vec, 1x4xf32>
          pto.comm.tput(%b, %a, buf(%t) : !pto.tensor_view<1x4xf32>, !pto.tensor_view<1x4xf32>, !pto.tile_buf<vec, 1x4xf32>)
          pto.comm.tnotify(%n, %i1 : !pto.tensor_view<1x1xi32>, i32) {notifyOp = #pto<notify_op set>}
          pto.comm.twait(%s, %i1 : !pto.tensor_view<1x1xi32>, i32) {cmp = #pto<wait_cmp eq>}
          return
        }
        """;
    World world = new World(ctx, 3, 4096);
    Program program = new Program(ctx, text, "ring.pto");
    program.setWorld(ctx, world);
    for (int rank = 0; rank < 3; rank++) {
      int next = (rank + 1) % 3;
      program.bindOn(ctx, rank);
      Tensor own = world.tensor(ctx, rank, spec(DType.F32, 4), 0);
      own.write(ctx, new float[] {rank, rank, rank, rank});
      program.bindTensor(ctx, "own", own);
      program.bindTensor(ctx, "next", world.tensor(ctx, next, spec(DType.F32, 4), 64));
      program.bindTensor(ctx, "sig", world.tensor(ctx, rank, spec(DType.I32, 1), 128));
      program.bindTensor(ctx, "nsig", world.tensor(ctx, next, spec(DType.I32, 1), 128));
    }
    program.setSchedule(ctx, 7);
    program.run(ctx, null);
    float[] got = new float[4];
    world.tensor(ctx, 0, spec(DType.F32, 4), 64).read(ctx, got);
    assertArrayEquals(new float[] {2, 2, 2, 2}, got);
    assertEquals("rank", ruleOf(() -> program.bindOn(ctx, 3)));
  }
}
