package dev.rondo.tools.backfill.whisper;

import dev.rondo.topology.archive.ConsolidationFunction;
import java.util.Optional;

/**
 * How Whisper consolidates, by its number in the header. A method without a function of the same
 * meaning is read as the nearest one: its values are taken as they are.
 */
enum AggregationMethod {
  AVERAGE(ConsolidationFunction.WMEAN),
  SUM(ConsolidationFunction.SUM),
  LAST(ConsolidationFunction.LAST),
  MAX(ConsolidationFunction.MAX),
  MIN(ConsolidationFunction.MIN),
  /** Unknown points count as 0. */
  AVG_ZERO(ConsolidationFunction.WMEAN),
  /** The value farthest from 0. */
  ABSMAX(ConsolidationFunction.MAX),
  /** The value nearest to 0. */
  ABSMIN(ConsolidationFunction.MIN);

  private final ConsolidationFunction function;

  AggregationMethod(ConsolidationFunction function) {
    this.function = function;
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

  /** Whether {@link #function} is only the nearest one. */
  boolean isApproximate() {
    return ordinal() >= AVG_ZERO.ordinal();
  }

  /** Its name in Graphite. */
  String key() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
