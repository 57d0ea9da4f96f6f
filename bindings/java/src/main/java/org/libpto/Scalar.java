package org.libpto;

/**
 * A number that is converted to an element.
 *
 * <p>For an integer element it must be an integer in range (2.0 is, 2.5 is not); for a float it is rounded
 * once, to nearest with ties to even, and a NaN becomes the canonical one. {@link #ofBits} reaches everything
 * else. Calls take a {@code long} or a {@code double} as they are, without one of these.
 */
public final class Scalar {
  static final int INT = ScalarKind.INT.value();
  static final int FLOAT = ScalarKind.FLOAT.value();

  final long bits;
  final int kind;

  private Scalar(long bits, ScalarKind kind) {
    this.bits = bits;
    this.kind = kind.value();
  }

  /**
   * A scalar that is a signed integer.
   *
   * @param value the integer
   * @return the scalar
   */
  public static Scalar ofInt(long value) {
    return new Scalar(value, ScalarKind.INT);
  }

  /**
   * A scalar that is an unsigned integer, the one whose bits a {@code long} has.
   *
   * @param value the integer
   * @return the scalar
   */
  public static Scalar ofUnsigned(long value) {
    return new Scalar(value, ScalarKind.UINT);
  }

  /**
   * A scalar that is a floating-point number.
   *
   * @param value the number
   * @return the scalar
   */
  public static Scalar ofFloat(double value) {
    return new Scalar(Double.doubleToRawLongBits(value), ScalarKind.FLOAT);
  }

  /**
   * A scalar that is the bits of an element, for instance of a NaN with a payload.
   *
   * @param bits the bits; those above the element's must be 0
   * @return the scalar
   */
  public static Scalar ofBits(long bits) {
    return new Scalar(bits, ScalarKind.BITS);
  }
}
