package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowArrivalTest {
  @Test
  void shouldReadHeadersThatItWrites() {
    var arrival = new RowArrival(1_700_000_010_123L, "points");
    assertThat(arrival.toText()).isEqualTo("1700000010123 points");
    assertThat(RowArrival.parse(arrival.toText())).contains(arrival);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " points", "points", "now points", "1700000010123"})
  void shouldIgnoreOtherText(String text) {
    assertThat(RowArrival.parse(text)).isEmpty();
  }

  @Test
  void shouldFindTheBucketOfALag() {
    assertThat(LagBuckets.of(0)).isZero();
    assertThat(LagBuckets.of(100)).isZero();
    assertThat(LagBuckets.of(101)).isEqualTo(1);
    assertThat(LagBuckets.of(Long.MAX_VALUE)).isEqualTo(LagBuckets.COUNT - 1);
    assertThat(LagBuckets.boundsSeconds())
        .hasSize(LagBuckets.COUNT)
        .isSorted()
        .contains(0.1, 3_600);
  }
}
