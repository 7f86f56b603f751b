package dev.rondo.history.whisper;

import dev.rondo.topology.archive.ConsolidationFunction;
import java.util.Locale;
import java.util.Optional;

/**
 * How Whisper consolidates, by its number in the header. A method without a function of the same
 * meaning is read as the nearest one: its values are taken as they are.
 */
enum AggregationMethod {
  AVERAGE(ConsolidationFunction.WMEAN, true),
  SUM(ConsolidationFunction.SUM, true),
  LAST(ConsolidationFunction.LAST, true),
  MAX(ConsolidationFunction.MAX, true),
  MIN(ConsolidationFunction.MIN, true),
  /** Unknown points count as 0. */
  AVG_ZERO(ConsolidationFunction.WMEAN, false),
  /** The value farthest from 0. */
  ABSMAX(ConsolidationFunction.MAX, false),
  /** The value nearest to 0. */
  ABSMIN(ConsolidationFunction.MIN, false);

  private final ConsolidationFunction function;
  private final boolean isExact;

  AggregationMethod(ConsolidationFunction function, boolean isExact) {
    this.function = function;
    this.isExact = isExact;
  }

  /** The method with this number, from 1; empty: Whisper has none. */
  static Optional<AggregationMethod> of(int number) {
    return number >= 1 && number <= values().length
        ? Optional.of(values()[number - 1])
        : Optional.empty();
  }

  /** The function that is the method, or the nearest to it. */
  ConsolidationFunction function() {
    return function;
  }

  /** Whether {@link #function} is the method, not only the nearest one. */
  boolean isExact() {
    return isExact;
  }

  /** Its name in Graphite. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
