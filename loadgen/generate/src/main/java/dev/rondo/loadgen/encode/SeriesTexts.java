package dev.rondo.loadgen.encode;

/** Cached bytes that identify a series; recomputed when the generation of its machine changes. */
public final class SeriesTexts {
  private final Text text;
  private final int metrics;
  private final byte[][] texts;
  private final int[] generations;

  /**
   * An empty cache.
   *
   * @param series number of series
   * @param metrics series per machine
   */
  public SeriesTexts(int series, int metrics, Text text) {
    this.text = text;
    this.metrics = metrics;
    this.texts = new byte[series][];
    this.generations = new int[series];
  }

  /** The bytes of a series. The caller must not modify them. */
  public byte[] of(int series, long generation) {
    byte[] known = texts[series];
    if (known == null || generations[series] != generation) {
      known = text.of(series / metrics, series % metrics, generation);
      texts[series] = known;
      generations[series] = (int) generation;
    }
    return known;
  }

  /** Computes the bytes. */
  @FunctionalInterface
  public interface Text {
    /** The bytes of one metric of a machine. */
    byte[] of(int machine, int metric, long generation);
  }
}
