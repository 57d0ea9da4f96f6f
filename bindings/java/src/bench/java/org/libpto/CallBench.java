package org.libpto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a call costs from Java; bench/bindings.c measures some of them from C. Iterations are short and many,
 * and the best counts: then other work on the machine does not.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2000, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class CallBench {
  private Context ctx;
  private Tile one;
  private Tile big;
  private final float[] four = new float[1];
  private final float[] many = new float[64 * 64];
  private final ByteBuffer fourDirect = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
  private final ByteBuffer manyDirect = ByteBuffer.allocateDirect(64 * 64 * 4).order(ByteOrder.nativeOrder());

  /** Makes the tiles. */
  @Setup
  public void open() {
    ctx = new Context();
    one = new Tile(ctx, DType.F32, 1, 1);
    big = new Tile(ctx, DType.F32, 64, 64);
  }

  @Benchmark
  public Profile empty() {
    return ctx.profile();
  }

  @Benchmark
  public void tpow1x1() {
    ctx.tpow(one, one, one);
  }

  @Benchmark
  public void tpartadd1x1() {
    ctx.tpartadd(one, one, one);
  }

  @Benchmark
  public void write4Array() {
    one.write(ctx, four);
  }

  @Benchmark
  public void write4Direct() {
    one.write(ctx, fourDirect);
  }

  @Benchmark
  public void write64x64Array() {
    big.write(ctx, many);
  }

  @Benchmark
  public void write64x64Direct() {
    big.write(ctx, manyDirect);
  }

  @Benchmark
  public void createAndClose() {
    new Tile(ctx, DType.F32, 1, 1).close();
  }
}
