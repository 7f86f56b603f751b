package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketsTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  @ParameterizedTest
  @CsvSource({
    "0.5,  0.4", // 0.1 + (6 - 4) / (10 - 4) * (1 - 0.1)
    "0.25, 0.075", // 3 / 4 * 0.1
    "0.75, 0.85",
    "0.9,  8.2", // 1 + (10.8 - 10) / (11 - 10) * (10 - 1)
    "0.99, 10", // above the largest finite bound
  })
  void shouldInterpolateWithinTheBucket(double share, double quantile) {
    Buckets buckets = buckets(0.1, 4, 1, 10, 10, 11, INFINITE, 12);

    assertThat(buckets.quantile(share)).isCloseTo(quantile, within(1e-9));
  }

  @Test
  void shouldSkipEmptyBuckets() {
    assertThat(buckets(1, 0, 2, 0, 4, 8, INFINITE, 8).quantile(0.5)).isEqualTo(3);
  }

  @Test
  void shouldHaveNoQuantileWithoutValues() {
    assertThat(new Buckets().quantile(0.5)).isNaN();
    assertThat(buckets(1, 0, INFINITE, 0).quantile(0.5)).isNaN();
  }

  @Test
  void shouldReturnValuesAddedSince() {
    Buckets earlier = buckets(1, 4, INFINITE, 5);

    assertThat(buckets(1, 6, 2, 8, INFINITE, 9).since(earlier))
        .isEqualTo(buckets(1, 2, 2, 8, INFINITE, 4));
    assertThat(earlier.since(earlier).quantile(0.5)).isNaN();
  }

  @Test
  void shouldReturnAllValuesAfterARestart() {
    Buckets again = buckets(1, 2, INFINITE, 7);

    assertThat(again.since(buckets(1, 4, INFINITE, 5))).isEqualTo(again);
  }

  private static Buckets buckets(double... boundsAndCounts) {
    var buckets = new Buckets();
    for (int k = 0; k < boundsAndCounts.length; k += 2) {
      buckets.add(boundsAndCounts[k], boundsAndCounts[k + 1]);
    }
    return buckets;
  }
}
