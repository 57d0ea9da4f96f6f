package org.libpto;

/** Conversions between float and the bits of an f16 (IEEE binary16), which Java keeps in a short. */
public final class Float16 {
  private Float16() {}

  /**
   * Rounds to nearest, ties to even; overflow gives infinity, subnormals are kept.
   *
   * @param value any float
   * @return the bits
   */
  public static short bits(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    int magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return (short) (sign | 0x7e00 | magnitude >>> 13 & 0x3ff);
    // From half way between the largest f16 and its successor upwards.
    if (magnitude >= 0x477ff000) return (short) (sign | 0x7c00);
    if (magnitude < 0x38800000) {
      // Adding 0.5 gives the sum the last place of a subnormal f16: the addition rounds.
      float shifted = Float.intBitsToFloat(magnitude) + 0.5f;
      return (short) (sign | Float.floatToRawIntBits(shifted) - 0x3f000000);
    }
    int odd = magnitude >>> 13 & 1;
    return (short) (sign | magnitude - 0x38000000 + 0xfff + odd >>> 13);
  }

  /**
   * Converts exactly.
   *
   * @param bits the bits of an f16
   * @return its value
   */
  public static float value(short bits) {
    int sign = (bits & 0x8000) << 16;
    int magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00) return Float.intBitsToFloat(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude < 0x400) return (sign == 0 ? 1f : -1f) * magnitude * 0x1p-24f;
    return Float.intBitsToFloat(sign | (magnitude << 13) + 0x38000000);
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
   * @param bits the bits of f16 numbers
   * @return their values
   */
  public static float[] values(short... bits) {
    float[] values = new float[bits.length];
    for (int i = 0; i < values.length; i++) values[i] = value(bits[i]);
    return values;
  }
}
