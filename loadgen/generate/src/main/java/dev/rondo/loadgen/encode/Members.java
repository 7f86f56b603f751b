package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Template;
import org.apache.kafka.common.utils.Utils;

/**
 * The series of a fleet that one instance of a deployment has: those whose hash, as Kafka's, puts
 * them into its partitions. A fleet numbers its series without gaps; their names have gaps.
 */
final class Members {
  /** Partitions of an instance: those that {@code ./rondo up} has. */
  private static final int PARTITIONS = 16;

  /** Numbers in the deployment; null if the fleet is the deployment. */
  private final int[] numbers;

  private final int metrics;

  private Members(int[] numbers, int metrics) {
    this.numbers = numbers;
    this.metrics = metrics;
  }

  /** The first {@code series} members of one of {@code oneOf} instances. */
  static Members of(Template ident, int series, int metrics, int oneOf) {
    if (oneOf == 1) {
      return new Members(null, metrics);
    }
    int[] numbers = new int[series];
    int found = 0;
    for (int number = 0; found < series; number++) {
      byte[] name = ident.fill(number / metrics, number % metrics, 0);
      if (Utils.toPositive(Utils.murmur2(name)) % (PARTITIONS * oneOf) < PARTITIONS) {
        numbers[found++] = number;
      }
    }
    return new Members(numbers, metrics);
  }

  /** The text of the series of the deployment that has this place in the fleet. */
  SeriesTexts.Text renumber(SeriesTexts.Text text) {
    if (numbers == null) {
      return text;
    }
    return (machine, metric, generation) -> {
      int number = numbers[machine * metrics + metric];
      return text.of(number / metrics, number % metrics, generation);
    };
  }
}
