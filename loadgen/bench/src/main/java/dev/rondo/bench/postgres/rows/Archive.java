package dev.rondo.bench.postgres.rows;

/**
 * An archive of full segments.
 *
 * @param width series per segment
 */
public record Archive(String policy, long stepMs, int size, int segments, int width) {
  /** Default width of a segment. */
  public static final int WIDTH = 116;

  private static final long ABOUT_MS = 1_700_000_000_000L;

  public int rows() {
    return segments * size;
  }

  /** End of the slot with index {@code i} of round {@code round}, epoch ms. */
  long endMs(int round, int i) {
    long spanMs = stepMs * size;
    return (ABOUT_MS / spanMs + round) * spanMs + i * stepMs;
  }
}
