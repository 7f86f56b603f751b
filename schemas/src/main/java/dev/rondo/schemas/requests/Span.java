package dev.rondo.schemas.requests;

/**
 * The time of the slots of a new series. Throws {@link IllegalArgumentException} if it is empty, or
 * begins before 1970.
 *
 * @param fromMs start of the oldest slot, epoch ms: the start of the series
 * @param untilMs end of the newest slot, epoch ms
 */
public record Span(long fromMs, long untilMs) {
  public Span {
    if (fromMs < 0 || untilMs <= fromMs) {
      throw new IllegalArgumentException(
          "expected 0 <= from_ms < until_ms: %d, %d".formatted(fromMs, untilMs));
    }
  }
}
