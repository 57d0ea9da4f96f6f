package org.libpto;

/** Conversions between float and the bits of a bf16 (its upper half), which Java keeps in a short. */
public final class BFloat16 {
  private BFloat16() {}

  /**
   * Rounds to nearest, ties to even; overflow gives infinity, subnormals are kept.
   *
   * @param value any float
   * @return the bits
   */
  public static short bits(float value) {
    int bits = Float.floatToRawIntBits(value);
    // Rounding up could turn a NaN into something else.
    if ((bits & 0x7fffffff) > 0x7f800000) return (short) (bits >>> 16 | 0x40);
    return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
  }

  /**
   * Converts exactly.
   *
   * @param bits the bits of a bf16
   * @return its value
   */
  public static float value(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /**
   * Rounds each element.
   *
   * @param values any floats
   * @return their bits
   */
  public static short[] bits(float... values) {
    short[] bits = new short[values.length];
    for (int i = 0; i < bits.length; i++) bits[i] = bits(values[i]);
    return bits;
  }

  /**
   * Converts each element.
   *
   * @param bits the bits of bf16 numbers
   * @return their values
   */
  public static float[] values(short... bits) {
    float[] values = new float[bits.length];
    for (int i = 0; i < values.length; i++) values[i] = value(bits[i]);
    return values;
  }
}
