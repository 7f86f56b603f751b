package dev.rondo.loadgen.encode;

/** Bytes that tell a series, made once, as it comes; again when its machine is another. */
public final class SeriesTexts {
  private final Text text;
  private final int metrics;
  private final byte[][] texts;
  private final int[] generations;

  /**
   * For so many series.
   *
   * @param metrics series a machine
   */
  public SeriesTexts(int series, int metrics, Text text) {
    this.text = text;
    this.metrics = metrics;
    this.texts = new byte[series][];
    this.generations = new int[series];
  }

  /** Not to be changed. */
  public byte[] of(int series, long generation) {
    byte[] known = texts[series];
    if (known == null || generations[series] != generation) {
      known = text.of(series / metrics, series % metrics, generation);
      texts[series] = known;
      generations[series] = (int) generation;
    }
    return known;
  }

  /** Makes them. */
  @FunctionalInterface
  public interface Text {
    /** Of a metric of a machine. */
    byte[] of(int machine, int metric, long generation);
  }
}
