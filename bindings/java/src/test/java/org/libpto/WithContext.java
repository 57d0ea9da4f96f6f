// A context for each test, and what several of them ask.
package org.libpto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

abstract class WithContext {
  Context ctx;

  @BeforeEach
  void open() {
    ctx = new Context();
  }

  @AfterEach
  void close() {
    ctx.close();
  }

  static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  void assertHolds(Tile tile, float... wanted) {
    float[] out = new float[wanted.length];
    tile.read(ctx, out);
    assertArrayEquals(wanted, out);
  }

  static PtoException refusal(Runnable call) {
    return assertThrows(PtoException.class, call::run);
  }
}
