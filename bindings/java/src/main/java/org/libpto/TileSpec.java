package org.libpto;

import java.util.Objects;

/**
 * What a tile is made from: type and size, and by name whatever differs from a row-major vector
 * tile that is valid as a whole and owns its memory.
 *
 * <pre>{@code
 * new Tile(ctx, new TileSpec(DType.F16, 64, 64).valid(60, 50).location(Location.MAT))
 * }</pre>
 */
public final class TileSpec {
  final DType dtype;
  final int rows;
  final int cols;
  int validRows = Pto.VALID_ALL;
  int validCols = Pto.VALID_ALL;
  Location location = Location.VEC;
  BLayout blayout = BLayout.ROW_MAJOR;
  SLayout slayout = SLayout.NONE_BOX;
  int fractal;
  Pad pad = Pad.NULL;
  int padBits;
  Compact compact = Compact.NULL;
  Storage storage = Storage.OWNED;

  /**
   * Begins with type and size.
   *
   * @param dtype element type
   * @param rows allocated rows, at least 1
   * @param cols allocated columns, at least 1
   */
  public TileSpec(DType dtype, int rows, int cols) {
    this.dtype = Objects.requireNonNull(dtype, "dtype");
    this.rows = rows;
    this.cols = cols;
  }

  /**
   * Sets the valid region.
   *
   * @param rows rows that hold data; {@link Pto#VALID_ALL} for all
   * @param cols columns that hold data; {@link Pto#VALID_ALL} for all
   * @return this
   */
  public TileSpec valid(int rows, int cols) {
    this.validRows = rows;
    this.validCols = cols;
    return this;
  }

  /**
   * Sets the memory that the tile lives in.
   *
   * @param location the memory
   * @return this
   */
  public TileSpec location(Location location) {
    this.location = Objects.requireNonNull(location, "location");
    return this;
  }

  /**
   * Sets the order of boxes or elements.
   *
   * @param blayout the order
   * @return this
   */
  public TileSpec blayout(BLayout blayout) {
    this.blayout = Objects.requireNonNull(blayout, "blayout");
    return this;
  }

  /**
   * Sets the order inside a box.
   *
   * @param slayout the order
   * @return this
   */
  public TileSpec slayout(SLayout slayout) {
    this.slayout = Objects.requireNonNull(slayout, "slayout");
    return this;
  }

  /**
   * Sets the size of a box.
   *
   * @param bytes 512, 1024 or 32; 0 means 512
   * @return this
   */
  public TileSpec fractal(int bytes) {
    this.fractal = bytes;
    return this;
  }

  /**
   * Sets the pad value.
   *
   * @param pad the value
   * @return this
   */
  public TileSpec pad(Pad pad) {
    this.pad = Objects.requireNonNull(pad, "pad");
    return this;
  }

  /**
   * Makes the pad value {@link Pad#CUSTOM}.
   *
   * @param bits the bits of an element, in the low bits
   * @return this
   */
  public TileSpec padBits(int bits) {
    this.pad = Pad.CUSTOM;
    this.padBits = bits;
    return this;
  }

  /**
   * Sets how columns of boxes are packed.
   *
   * @param compact the packing
   * @return this
   */
  public TileSpec compact(Compact compact) {
    this.compact = Objects.requireNonNull(compact, "compact");
    return this;
  }

  /**
   * Sets where the elements are kept; {@link Tile#wrap} has its own answer to that.
   *
   * @param storage the kind
   * @return this
   */
  public TileSpec storage(Storage storage) {
    this.storage = Objects.requireNonNull(storage, "storage");
    return this;
  }
}
