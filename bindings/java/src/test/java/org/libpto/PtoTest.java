// Data in and out, errors in the language's own form, enums, half precision.
package org.libpto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PtoTest extends WithContext {
  @Test
  void powersWithAndWithoutFlags() {
    try (Tile base = new Tile(ctx, DType.F32, 2, 2); Tile exp = new Tile(ctx, DType.F32, 2, 2)) {
      base.write(ctx, new float[] {1, 2, 3, 4});
      exp.write(ctx, new float[] {2, 2, 2, .5f});
      float[] out = new float[4];
      ctx.tpow(base, base, exp, null, Flags.HIGH_PRECISION);
      base.read(ctx, out);
      assertArrayEquals(new float[] {1, 4, 9, 2}, out);
      ctx.tpow(base, base, exp);
      base.read(ctx, out);
      assertArrayEquals(new float[] {1, 16, 81, (float) Math.sqrt(2)}, out, 1e-6f);
    }
  }

  @Test
  void partsOfArrays() {
    try (Tile tile = new Tile(ctx, DType.I16, 1, 3)) {
      short[] array = {9, 1, 2, 3, 9};
      tile.write(ctx, array, 1, 3);
      short[] out = new short[5];
      tile.read(ctx, out, 2, 3);
      assertArrayEquals(new short[] {0, 0, 1, 2, 3}, out);
      assertThrows(IndexOutOfBoundsException.class, () -> tile.write(ctx, array, 3, 3));
      assertThrows(IndexOutOfBoundsException.class, () -> tile.read(ctx, array, -1, 3));
      assertThrows(IndexOutOfBoundsException.class, () -> tile.read(ctx, array, Integer.MAX_VALUE, 3));
    }
  }

  @Test
  void directBuffersOfEachType() {
    ByteBuffer bytes = direct(64);
    for (int i = 0; i < 64; i++) bytes.put(i, (byte) (i * 37));
    ByteBuffer out = direct(64);
    record Way(DType dtype, Runnable write, Runnable read) {}
    Tile[] tile = {null};
    Way[] ways = {
      new Way(DType.U8, () -> tile[0].write(ctx, bytes), () -> tile[0].read(ctx, out)),
      new Way(DType.E2M1, () -> tile[0].write(ctx, bytes), () -> tile[0].read(ctx, out)),
      new Way(DType.E4M3, () -> tile[0].write(ctx, bytes), () -> tile[0].read(ctx, out)),
      new Way(DType.U16, () -> tile[0].write(ctx, bytes.asShortBuffer()), () -> tile[0].read(ctx, out.asShortBuffer())),
      new Way(DType.BF16, () -> tile[0].write(ctx, bytes.asShortBuffer()), () -> tile[0].read(ctx, out.asShortBuffer())),
      new Way(DType.I32, () -> tile[0].write(ctx, bytes.asIntBuffer()), () -> tile[0].read(ctx, out.asIntBuffer())),
      new Way(DType.I64, () -> tile[0].write(ctx, bytes.asLongBuffer()), () -> tile[0].read(ctx, out.asLongBuffer())),
      new Way(DType.F32, () -> tile[0].write(ctx, bytes.asFloatBuffer()), () -> tile[0].read(ctx, out.asFloatBuffer())),
    };
    for (Way way : ways) {
      for (int i = 0; i < 64; i++) out.put(i, (byte) 0);
      try (Tile t = new Tile(ctx, way.dtype, 1, 512 / Pto.dtypeBits(way.dtype))) {
        tile[0] = t;
        way.write.run();
        way.read.run();
        assertEquals(bytes, out, way.dtype.toString());
      }
    }
  }

  @Test
  void packedTypesHaveTwoElementsAByte() {
    byte[] codes = {0x5d, (byte) 0xf7, 0x18, 0x0a};
    byte[] seen = new byte[4];
    try (Tile tile = new Tile(ctx, DType.I4, 2, 4); Tile numbers = new Tile(ctx, DType.F32, 2, 3);
         Tensor tensor = new Tensor(ctx, new TensorSpec(DType.E2M1, 2))) {
      tile.write(ctx, codes);
      tile.setValid(ctx, 2, 3);
      // All bytes are copied, although the half after a row is not an element.
      tile.read(ctx, seen);
      assertArrayEquals(new byte[] {0x5d, 0x07, 0x18, 0x0a}, seen);
      ctx.tcvt(numbers, tile, Round.RINT, Sat.OFF);
      float[] values = new float[6];
      numbers.read(ctx, values);
      assertArrayEquals(new float[] {-3, 5, 7, -8, 1, -6}, values);
      tile.write(ctx, new byte[] {0, 0, 0, 0});
      tile.setValid(ctx, 2, 4);
      tile.read(ctx, seen);
      assertArrayEquals(new byte[] {0, (byte) 0xf0, 0, 0}, seen);
      ByteBuffer direct = direct(1);
      tensor.write(ctx, new byte[] {0x73});
      tensor.read(ctx, direct);
      assertEquals(0x73, direct.get(0));
    }
  }

  @Test
  void positionAndLimitOfABuffer() {
    FloatBuffer floats = direct(40).asFloatBuffer();
    for (int i = 0; i < 10; i++) floats.put(i, i);
    floats.position(3).limit(7);
    try (Tile tile = new Tile(ctx, DType.F32, 2, 2)) {
      tile.write(ctx, floats);
      float[] out = new float[4];
      tile.read(ctx, out);
      assertArrayEquals(new float[] {3, 4, 5, 6}, out);
      assertEquals(3, floats.position());
      floats.position(6).limit(10);
      tile.read(ctx, floats);
      assertEquals(5f, floats.get(5));
      assertEquals(3f, floats.get(6));
      tile.read(ctx, floats.slice());
      tile.write(ctx, floats.asReadOnlyBuffer());
    }
  }

  @Test
  void buffersThatAreRefused() {
    try (Tile tile = new Tile(ctx, DType.F32, 2, 2)) {
      tile.write(ctx, new float[] {1, 2, 3, 4});
      assertThrows(IllegalArgumentException.class, () -> tile.write(ctx, ByteBuffer.allocate(16)));
      assertThrows(IllegalArgumentException.class, () -> tile.read(ctx, FloatBuffer.allocate(4)));
      assertThrows(IllegalArgumentException.class, () -> Tile.wrap(ctx, new TileSpec(DType.F32, 2, 2), ByteBuffer.allocate(16)));
      ByteOrder other = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
      assertThrows(IllegalArgumentException.class, () -> tile.write(ctx, direct(16).order(other).asFloatBuffer()));
      assertThrows(ReadOnlyBufferException.class, () -> tile.read(ctx, direct(16).asReadOnlyBuffer().order(ByteOrder.nativeOrder())));
      assertThrows(ReadOnlyBufferException.class,
          () -> Tile.wrap(ctx, new TileSpec(DType.F32, 2, 2), direct(16).asReadOnlyBuffer()));
      assertThrows(NullPointerException.class, () -> tile.write(ctx, (float[]) null));
      assertThrows(NullPointerException.class, () -> tile.read(ctx, (ByteBuffer) null));
      assertThrows(NullPointerException.class, () -> tile.write(null, new float[4]));
      assertEquals("element-type", refusal(() -> tile.write(ctx, direct(16).asIntBuffer())).rule());
      assertEquals("byte-count", refusal(() -> tile.write(ctx, direct(12))).rule());
      assertEquals("wrap-bytes", refusal(() -> Tile.wrap(ctx, new TileSpec(DType.F32, 2, 2), direct(15))).rule());
      assertEquals("data-alignment",
          refusal(() -> Tile.wrap(ctx, new TileSpec(DType.F32, 2, 2), direct(32).position(1))).rule());
      assertHolds(tile, 1, 2, 3, 4);
    }
  }

  // A buffer whose getFloat() reads other bytes than the machine's is refused, not reinterpreted.
  @Test
  void byteOrderOfAByteBuffer() {
    ByteOrder other = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer foreign = direct(16).order(other);
    for (int i = 0; i < 4; i++) foreign.putFloat(4 * i, i + 1);
    TensorSpec dims = new TensorSpec(DType.F32, 2, 2);
    try (Tile tile = new Tile(ctx, DType.F32, 2, 2); Tensor tensor = new Tensor(ctx, dims);
         Tile bytes = Tile.wrap(ctx, new TileSpec(DType.U8, 2, 8), foreign)) {
      Runnable[] ways = {
        () -> Tile.wrap(ctx, new TileSpec(DType.F32, 2, 2), foreign), () -> Tensor.wrap(ctx, dims, foreign),
        () -> tile.write(ctx, foreign), () -> tile.read(ctx, foreign), () -> tensor.write(ctx, foreign), () -> tensor.read(ctx, foreign),
      };
      for (Runnable way : ways) {
        String text = assertThrows(IllegalArgumentException.class, way::run).getMessage();
        assertTrue(text.contains("byte order is " + other) && text.contains("ByteOrder.nativeOrder()"), text);
      }
      assertHolds(tile, 0, 0, 0, 0);
      bytes.write(ctx, foreign); // an element is one byte
      bytes.read(ctx, foreign);
      assertEquals(1f, foreign.getFloat(0));
      Tile.wrap(ctx, new TileSpec(DType.E2M1, 2, 16), foreign).close();
    }
  }

  // Java copies what lies in its order, the native code the rest; both must put elements where they belong.
  @Test
  void elementsGoWhereTheLayoutHasThem() {
    float[] values = {1, 2, 3, 4, 5, 6};
    TileSpec all = new TileSpec(DType.F32, 2, 3);
    TileSpec part = new TileSpec(DType.F32, 2, 4).valid(2, 3);
    TileSpec columns = new TileSpec(DType.F32, 2, 3).blayout(BLayout.COL_MAJOR);
    float[][] wanted = {{1, 2, 3, 4, 5, 6, 0, 0}, {1, 2, 3, 0, 4, 5, 6, 0}, {1, 4, 2, 5, 3, 6, 0, 0}};
    TileSpec[] specs = {all, part, columns};
    for (int i = 0; i < specs.length; i++) {
      ByteBuffer memory = direct(32);
      try (Tile tile = Tile.wrap(ctx, specs[i], memory)) {
        tile.write(ctx, values);
        assertEquals(FloatBuffer.wrap(wanted[i]), memory.asFloatBuffer());
        assertHolds(tile, values);
        FloatBuffer out = direct(24).asFloatBuffer();
        tile.read(ctx, out);
        assertEquals(FloatBuffer.wrap(values), out);
        tile.write(ctx, out.put(0, 9));
        assertEquals(9f, memory.getFloat(0));
      }
    }
    ByteBuffer memory = direct(32);
    try (Tensor tensor = Tensor.wrap(ctx, new TensorSpec(DType.F32, 2, 3).strides(4, 1), memory)) {
      tensor.write(ctx, values);
      assertEquals(FloatBuffer.wrap(wanted[1]), memory.asFloatBuffer());
      float[] out = new float[6];
      tensor.read(ctx, out);
      assertArrayEquals(values, out);
    }
  }

  @Test
  void onChipMemoryIsAsLargeAsAsked() {
    TileSpec spec = new TileSpec(DType.F32, 1, 8).storage(Storage.MANUAL);
    try (Context own = new Context(); Tile tile = new Tile(own, spec)) {
      assertEquals(1L << 30, own.capacity(Location.VEC));
      own.limitOnChip(1L << 33);
      own.tassign(tile, (1L << 33) - 32);
      assertEquals("address-range", refusal(() -> own.tassign(tile, 1L << 33)).rule());
      assertEquals("on-chip-limit", refusal(() -> own.limitOnChip(4096)).rule());
    }
  }

  @Test
  void padsOfOnesOwnAndPackedTiles() {
    TileSpec packed = new TileSpec(DType.F32, 32, 16).blayout(BLayout.COL_MAJOR).slayout(SLayout.ROW_MAJOR).compact(Compact.NORMAL);
    try (Tile src = new Tile(ctx, new TileSpec(DType.I16, 2, 3).valid(1, 2));
        Tile dst = new Tile(ctx, new TileSpec(DType.I16, 2, 3).padBits(0x12345678)); Tile boxed = new Tile(ctx, packed)) {
      ctx.tfillpad(dst, src);
      short[] all = new short[6];
      dst.read(ctx, all);
      assertArrayEquals(new short[] {0, 0, 0x5678, 0x5678, 0x5678, 0x5678}, all);
      assertEquals(Pad.CUSTOM, dst.pad());
      assertEquals(Compact.NORMAL, boxed.compact());
    }
  }

  @Test
  void whatIsPrintedIsRead() {
    try (Context own = new Context(); Tile tile = new Tile(own, new TileSpec(DType.I32, 1, 2))) {
      tile.write(own, new int[] {7, -8});
      own.tprint(tile, PrintFormat.WIDTH8_PRECISION4);
      own.print("end");
      assertEquals("TPRINT 1x2\n       7       -8\nend", own.output());
      own.clearOutput();
      assertEquals("", own.output());
    }
  }

  @Test
  void elementsThatMoveAreFollowed() {
    TileSpec spec = new TileSpec(DType.F32, 1, 8).storage(Storage.MANUAL);
    try (Tile tile = new Tile(ctx, spec); Tile second = new Tile(ctx, spec)) {
      assertEquals("storage", refusal(() -> tile.write(ctx, new float[8])).rule());
      ctx.tassign(second, 64);
      for (int address = 0; address <= 64; address += 64) {
        ctx.tassign(tile, address);
        tile.write(ctx, new float[] {1, 2, 3, 4, 5, 6, 7, address});
      }
      assertHolds(second, 1, 2, 3, 4, 5, 6, 7, 64);
      ctx.tassign(second, 0);
      assertHolds(second, 1, 2, 3, 4, 5, 6, 7, 0);
      tile.setValid(ctx, 1, 2);
      assertHolds(tile, 1, 2);
      assertEquals("byte-count", refusal(() -> tile.write(ctx, new float[8])).rule());
    }
  }

  @Test
  void scalarsAreNumbers() {
    try (Tile wide = new Tile(ctx, DType.I64, 1, 1); Tile bits = new Tile(ctx, DType.F32, 1, 1)) {
      long[] exact = new long[1];
      ctx.texpands(wide, Long.MIN_VALUE + 1);
      wide.read(ctx, exact);
      assertEquals(Long.MIN_VALUE + 1, exact[0]);
      assertEquals("scalar-range", refusal(() -> ctx.texpands(wide, Scalar.ofUnsigned(-1))).rule());
      assertEquals("scalar-range", refusal(() -> ctx.texpands(wide, 2.5)).rule());
      ctx.texpands(wide, 2.0f);
      wide.read(ctx, exact);
      assertEquals(2, exact[0]);
      int[] nan = new int[1];
      ctx.texpands(bits, Scalar.ofBits(0x7fc00001L));
      try (Tile same = bits.reshape(ctx, new TileSpec(DType.I32, 1, 1))) {
        same.read(ctx, nan);
      }
      assertEquals(0x7fc00001, nan[0]);
      ctx.tcvt(wide, bits, Round.FLOOR, Sat.ON);
      wide.read(ctx, exact);
      assertEquals(0, exact[0]);
    }
  }

  @Test
  void errorsCarryWhatTheLibrarySays() {
    try (Tile dst = new Tile(ctx, DType.F32, 2, 2); Tile exp = new Tile(ctx, DType.F32, 2, 1); Tile ints = new Tile(ctx, DType.I32, 2, 2)) {
      dst.write(ctx, new float[] {1, 2, 3, 4});
      PtoException e = refusal(() -> ctx.tpow(dst, dst, exp));
      assertEquals(Status.SHAPE, e.status());
      assertEquals(Status.SHAPE.value(), e.statusCode());
      assertEquals("valid-covers", e.rule());
      assertEquals("exp", e.operand());
      assertEquals("tpow: exp is valid in 2x1 where dst is in 2x2 (rows x columns)", e.getMessage());
      assertTrue(e.remedy().endsWith("."), e.remedy());
      assertTrue(e.toString().contains("[valid-covers]") && e.toString().endsWith(e.remedy()), e.toString());
      assertEquals("same-dtype", refusal(() -> ctx.tpow(dst, dst, ints)).rule());
      assertEquals("null", refusal(() -> ctx.tpow(dst, null, dst)).rule());
      assertEquals("null", refusal(() -> ctx.tpow(null, dst, dst)).rule());
      assertEquals("flags", refusal(() -> ctx.tpow(dst, dst, dst, null, -1)).rule());
      assertEquals("element-type", refusal(() -> dst.write(ctx, new int[4])).rule());
      assertEquals("element-type", refusal(() -> ints.read(ctx, new float[4])).rule());
      assertEquals("byte-count", refusal(() -> dst.write(ctx, new float[3])).rule());
      float[] out = {7, 7, 7, 7, 7};
      assertEquals("byte-count", refusal(() -> dst.read(ctx, out)).rule());
      assertArrayEquals(new float[] {7, 7, 7, 7, 7}, out);
      assertEquals("valid-range", refusal(() -> dst.setValid(ctx, 3, 2)).rule());
      assertEquals("unknown-instruction", refusal(() -> new Inst(ctx, "tp\u00f6w\ud83d\ude00")).rule());
      assertHolds(dst, 1, 2, 3, 4);
    }
  }

  @Test
  void errorsOfManyThreadsDoNotMix() throws InterruptedException {
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int n = 1; n <= 8; n++) {
      int cols = n + 2;
      Thread thread = new Thread(() -> {
        try (Context own = new Context(); Tile dst = new Tile(own, DType.F32, 2, 20); Tile exp = new Tile(own, DType.F32, 2, cols)) {
          for (int i = 0; i < 2000; i++) {
            assertEquals("tpow: exp is valid in 2x" + cols + " where dst is in 2x20 (rows x columns)",
                refusal(() -> own.tpow(dst, dst, exp)).getMessage());
          }
        } catch (Throwable e) {
          wrong.set(e);
        }
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) thread.join();
    assertNull(wrong.get());
  }

  @Test
  void targets() {
    for (int i = 0; i < Pto.targetCount(); i++) {
      if (!Pto.targetSupported(i)) continue;
      try (Context own = new Context(Profile.A5, Pto.targetName(i))) {
        assertEquals(Pto.targetName(i), own.target());
        assertEquals(Profile.A5, own.profile());
      }
    }
    PtoException e = refusal(() -> new Context(Profile.CPU, "ABACUS").close());
    assertEquals(Status.UNKNOWN, e.status());
    assertTrue(e.getMessage().contains("\"ABACUS\"") && e.getMessage().contains(ctx.target()), e.getMessage());
    assertEquals(Status.ARGUMENT, refusal(() -> new Context(Profile.UNRECOGNIZED).close()).status());
  }

  @Test
  void geometry() {
    TileSpec spec = new TileSpec(DType.F16, 32, 48).valid(20, Pto.VALID_ALL).location(Location.MAT).blayout(BLayout.COL_MAJOR)
        .slayout(SLayout.ROW_MAJOR).fractal(1024).pad(Pad.MAX);
    try (Tile tile = new Tile(ctx, spec)) {
      assertEquals(DType.F16, tile.dtype());
      assertEquals(32, tile.rows());
      assertEquals(48, tile.cols());
      assertEquals(20, tile.validRows());
      assertEquals(48, tile.validCols());
      assertEquals(20 * 48 * 2, tile.validBytes());
      assertEquals(32 * 48 * 2, tile.bytes());
      assertEquals(Location.MAT, tile.location());
      assertEquals(BLayout.COL_MAJOR, tile.blayout());
      assertEquals(SLayout.ROW_MAJOR, tile.slayout());
      assertEquals(1024, tile.fractal());
      assertEquals(Pad.MAX, tile.pad());
    }
    assertEquals("dtype-known", refusal(() -> new Tile(ctx, DType.UNRECOGNIZED, 1, 1)).rule());
    assertEquals("tile-shape", refusal(() -> new Tile(ctx, DType.F32, 1, -1)).rule());
  }

  @Test
  void viewsAndReshapesShareElements() {
    ByteBuffer memory = direct(64);
    try (Tile whole = Tile.wrap(ctx, new TileSpec(DType.F32, 4, 4), memory);
        Tile corner = whole.view(ctx, 2, 2, 2, 2);
        Tile bits = whole.reshape(ctx, new TileSpec(DType.I32, 2, 8))) {
      corner.write(ctx, new float[] {1, 2, 3, 4});
      assertEquals(4f, memory.getFloat(60));
      int[] out = new int[16];
      bits.read(ctx, out);
      assertEquals(Float.floatToIntBits(1), out[10]);
      assertEquals("view-range", refusal(() -> whole.view(ctx, 3, 0, 2, 1)).rule());
      assertEquals("reshape-bytes", refusal(() -> whole.reshape(ctx, new TileSpec(DType.I64, 4, 4))).rule());
    }
  }

  @Test
  void tensors() {
    TensorSpec spec = new TensorSpec(DType.F32, 2, 3);
    ByteBuffer memory = direct(32);
    try (Tensor own = new Tensor(ctx, spec);
        Tensor wrapped = Tensor.wrap(ctx, new TensorSpec(DType.F32, 2, 3).strides(4, 1).layout(Layout.ND), memory);
        Tensor column = wrapped.view(ctx, new TensorSpec(DType.F32, 2, 1).strides(4, 1), 2);
        Tile tile = new Tile(ctx, DType.F32, 2, 3)) {
      own.write(ctx, new float[] {1, 2, 3, 4, 5, 6});
      ctx.tload(tile, own);
      assertHolds(tile, 1, 2, 3, 4, 5, 6);
      ctx.tpartadd(tile, tile, tile);
      ctx.tstore(wrapped, tile);
      assertEquals(6f, memory.getFloat(8));
      assertEquals(0f, memory.getFloat(12));
      assertEquals(8f, memory.getFloat(16));
      ByteBuffer out = direct(8);
      column.read(ctx, out.asFloatBuffer());
      assertEquals(12f, out.getFloat(4));
      assertEquals(2, own.rank());
      assertEquals(3, own.dim(1));
      assertEquals(4, wrapped.stride(0));
      assertEquals(Layout.ND, own.layout());
      assertEquals(DType.F32, own.dtype());
      assertEquals(24, own.bytes());
      PtoException e = refusal(() -> own.write(ctx, new short[12]));
      assertEquals("Tensor.write: elements of i16 where the tensor holds f32", e.getMessage());
      assertEquals("element-type", e.rule());
      assertEquals(Status.DTYPE, e.status());
      assertEquals("element-type", refusal(() -> own.read(ctx, direct(24).asIntBuffer())).rule());
      assertEquals("byte-count", refusal(() -> own.read(ctx, new float[5])).rule());
      try (Inst load = new Inst(ctx, "tload")) {
        load.setTile(ctx, 0, tile);
        load.setTensor(ctx, 1, own);
        load.setTensor(ctx, 1, wrapped);
        load.run(ctx);
        assertHolds(tile, 2, 4, 6, 8, 10, 12);
        assertEquals("operand-kind", refusal(() -> load.setTile(ctx, 1, tile)).rule());
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new TensorSpec(DType.F32, 1, 2, 3, 4, 5, 6));
    assertThrows(IllegalArgumentException.class, () -> new TensorSpec(DType.F32, 1, 2).strides(1));
    assertEquals("tensor-rank", refusal(() -> new Tensor(ctx, new TensorSpec(DType.F32))).rule());
  }

  @Test
  void enumsSurviveUnknownValues() {
    assertEquals(Status.UNRECOGNIZED, Status.of(77));
    assertEquals(DType.UNRECOGNIZED, DType.of(-5));
    for (DType dtype : DType.values()) assertEquals(dtype, DType.of(dtype.value()));
    for (Op op : Op.values()) assertEquals(op, Op.of(op.value()));
    byte[] none = {};
    PtoException newer = new PtoException(77, "of a newer library".getBytes(), none, none, none);
    assertEquals(Status.UNRECOGNIZED, newer.status());
    assertEquals(77, newer.statusCode());
    assertEquals("PTO_ERROR_?", Pto.statusName(Status.UNRECOGNIZED));
  }

  @Test
  void library() {
    assertEquals(Pto.VERSION_MAJOR * 10000 + Pto.VERSION_MINOR * 100 + Pto.VERSION_PATCH, Pto.version());
    assertEquals(Op.TPOW.value(), Pto.opFind("tpow"));
    assertEquals(-1, Pto.opFind("tpowder"));
    assertNull(Pto.opName(-1));
    assertEquals(Role.TMP, Pto.opOperandRole(Op.TPOW.value(), 3));
    assertNull(Pto.opOperandRole(Op.TPOW.value(), 9));
    assertTrue(Pto.opSupports(Op.TPOW.value(), Profile.A5, DType.BF16, Flags.HIGH_PRECISION));
    assertFalse(Pto.opSupports(Op.TPOW.value(), Profile.A2A3, DType.BF16, 0));
    assertFalse(Pto.opSupports(Op.TPOW.value(), Profile.UNRECOGNIZED, DType.F32, 0));
  }

  // Against arithmetic in double: the nearest of all 65536 numbers, ties to even.
  @Test
  void halfPrecision() {
    for (int b = 0; b < 65536; b++) {
      short bits = (short) b;
      float f16 = Float16.value(bits);
      float bf16 = BFloat16.value(bits);
      int mantissa = b & 0x3ff;
      int exponent = b >> 10 & 31;
      if (exponent < 31) {
        double wanted = (exponent == 0 ? mantissa * 0x1p-24 : (1024 + mantissa) * Math.pow(2, exponent - 25)) * (b < 0x8000 ? 1 : -1);
        assertEquals(wanted, f16);
      }
      assertEquals(Float.isNaN(f16), exponent == 31 && mantissa != 0);
      if (Float.isNaN(f16)) {
        assertTrue(Float.isNaN(Float16.value(Float16.bits(f16))));
      } else {
        assertEquals(bits, Float16.bits(f16));
      }
      if (Float.isNaN(bf16)) {
        assertTrue(Float.isNaN(BFloat16.value(BFloat16.bits(bf16))));
      } else {
        assertEquals(bits, BFloat16.bits(bf16));
      }
      if (b < 0x7bff) assertRounds(bits, f16, Float16.value((short) (b + 1)), true);
      if (b < 0x7f7f) assertRounds(bits, bf16, BFloat16.value((short) (b + 1)), false);
    }
    assertEquals((short) 0x7bff, Float16.bits(Math.nextDown(65520f)));
    assertEquals((short) 0x7c00, Float16.bits(65520f));
    assertEquals((short) 0xfc00, Float16.bits(Float.NEGATIVE_INFINITY));
    assertEquals((short) 0x7f80, BFloat16.bits(Float.MAX_VALUE));
    assertEquals((short) 0x8000, Float16.bits(-0x1p-26f));
    assertArrayEquals(new float[] {1, -2}, Float16.values(Float16.bits(1f, -2f)));
    assertArrayEquals(new float[] {1, -2}, BFloat16.values(BFloat16.bits(1f, -2f)));
  }

  // Values just below, on and just above the middle of two neighbours.
  private static void assertRounds(short bits, float low, float high, boolean f16) {
    float middle = (float) (((double) low + high) / 2);
    short next = (short) (bits + 1);
    for (int sign = 0; sign < 2; sign++) {
      float factor = sign == 0 ? 1 : -1;
      int mask = sign << 15;
      float[] values = {Math.nextDown(middle), middle, Math.nextUp(middle)};
      short[] wanted = {bits, (bits & 1) == 0 ? bits : next, next};
      for (int i = 0; i < 3; i++) {
        float value = factor * values[i];
        assertEquals((short) (wanted[i] | mask), f16 ? Float16.bits(value) : BFloat16.bits(value), () -> "of " + value);
      }
    }
  }

  @Test
  void remediesAreOfJava() {
    try (Context ctx = new Context(); Tile tile = new Tile(ctx, DType.F32, 2, 2); Tile narrow = new Tile(ctx, DType.F32, 2, 1)) {
      PtoException e = assertThrows(PtoException.class, () -> ctx.tpow(tile, tile, narrow));
      assertEquals("Widen the valid regions of the sources with Tile.setValid.", e.remedy());
      e = assertThrows(PtoException.class, () -> ctx.tpow(null, tile, tile));
      assertEquals("tpow: dst is null", e.getMessage());
      e = assertThrows(PtoException.class, () -> tile.setValid(ctx, 9, 9));
      assertTrue(e.getMessage().startsWith("Tile.setValid: ") && e.remedy().contains("Pto.VALID_ALL"), e.toString());
    }
  }

  @Test
  void handlesTellWhatTheyAre() {
    Context ctx = new Context();
    try (Tile tile = new Tile(ctx, DType.F32, 2, 3); Tensor tensor = new Tensor(ctx, new TensorSpec(DType.I16, 4, 6));
        Inst inst = new Inst(ctx, "tpow"); Program program = new Program(ctx, "%d = tpow %b, %e, %t : !pto.tile<...>\n", null)) {
      tile.setValid(ctx, 2, 2);
      assertEquals("Tile(F32 2x3, 2x2 valid)", tile.toString());
      assertEquals("Tensor(I16 4x6)", tensor.toString());
      assertEquals("Inst(TPOW)", inst.toString());
      assertTrue(program.toString().startsWith("Program("), program.toString());
      assertEquals("Context(CPU on " + ctx.target() + ")", ctx.toString());
    }
    ctx.close();
    assertEquals("Context(closed)", ctx.toString());
  }
}
