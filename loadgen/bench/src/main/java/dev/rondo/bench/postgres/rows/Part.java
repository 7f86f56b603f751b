package dev.rondo.bench.postgres.rows;

/** Which positions of a row come. */
public enum Part {
  ALL,
  ODD,
  EVEN;

  boolean has(int pos) {
    return this == ALL || (pos % 2 == 1) == (this == ODD);
  }

  /** How many of {@code width} positions. */
  public int of(int width) {
    return switch (this) {
      case ALL -> width;
      case ODD -> (width + 1) / 2;
      case EVEN -> width / 2;
    };
  }
}
