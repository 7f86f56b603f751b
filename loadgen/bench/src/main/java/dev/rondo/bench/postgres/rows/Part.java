package dev.rondo.bench.postgres.rows;

/** Which positions of a row are written. */
public enum Part {
  ALL,
  ODD,
  EVEN;

  boolean has(int pos) {
    return this == ALL || (pos % 2 == 1) == (this == ODD);
  }

  /** Number of positions out of {@code width}. */
  public int of(int width) {
    return switch (this) {
      case ALL -> width;
      case ODD -> (width + 1) / 2;
      case EVEN -> width / 2;
    };
  }
}
