package org.libpto;

import java.util.Arrays;
import java.util.Objects;

/** What a tensor is made from: type and dimensions, and by name what differs from dense ND. */
public final class TensorSpec {
  private static final int MAX_RANK = 5;

  final DType dtype;
  final int rank;
  final long[] dims;
  long[] strides = new long[MAX_RANK];
  boolean strided;
  Layout layout = Layout.ND;

  /**
   * Begins with type and dimensions.
   *
   * @param dtype element type
   * @param dims sizes, the outermost first; 1 to 5 of them
   * @throws IllegalArgumentException if there are more than 5
   */
  public TensorSpec(DType dtype, long... dims) {
    this.dtype = Objects.requireNonNull(dtype, "dtype");
    this.rank = dims.length;
    this.dims = padded(dims);
  }

  /**
   * Sets where elements are; without this they follow each other without gaps.
   *
   * @param strides elements from one index of a dimension to the next, the outermost first; one a dimension
   * @return this
   * @throws IllegalArgumentException if their number differs from the number of dimensions
   */
  public TensorSpec strides(long... strides) {
    if (strides.length != rank) {
      throw new IllegalArgumentException(strides.length + " strides where the tensor has " + rank + " dimensions");
    }
    this.strides = padded(strides);
    this.strided = true;
    return this;
  }

  /**
   * Sets how transfers see the dimensions.
   *
   * @param layout the layout
   * @return this
   */
  public TensorSpec layout(Layout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return this;
  }

  private static long[] padded(long[] values) {
    if (values.length > MAX_RANK) {
      throw new IllegalArgumentException(values.length + " dimensions where a tensor has at most " + MAX_RANK);
    }
    return Arrays.copyOf(values, MAX_RANK);
  }
}
