package dev.rondo.topology.saturation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class CostLineTest {
  private final CostLine line = new CostLine();

  @Test
  void shouldKnowNothingWithoutPoints() {
    assertThat(line.rateAt(1)).isNaN();
    line.add(0, 0.1);
    assertThat(line.rateAt(1)).isNaN();
  }

  @Test
  void shouldAssumeProportionForASingleRate() {
    for (int n = 0; n < 100; n++) {
      line.add(1_000, 0.25);
    }
    assertThat(line.rateAt(1)).isCloseTo(4_000, within(1e-6));
  }

  @Property(tries = 100)
  void shouldFindTheSaturatingRateFromDifferentRates(
      @ForAll @DoubleRange(min = 0, max = 0.1) double fixed,
      @ForAll @DoubleRange(min = 1e-6, max = 1e-4) @Scale(6) double each) {
    var learned = new CostLine();
    double limit = (1 - fixed) / each;
    for (int n = 0; n < 60; n++) {
      double rate = limit * (0.15 + 0.1 * (n % 3));
      learned.add(rate, fixed + each * rate);
    }
    assertThat(learned.rateAt(1)).isCloseTo(limit, within(limit / 1e3));
  }

  /** A cost that falls while the rate grows is noise, not a negative cost per point. */
  @Test
  void shouldNotEstimateMoreThanTwiceTheProportion() {
    line.add(1_000, 0.5);
    line.add(2_000, 0.2);
    assertThat(line.rateAt(1)).isBetween(0.0, 2 * 1_500 / 0.35 * 1.1);
  }

  @Test
  void shouldForgetHigherCosts() {
    for (int n = 0; n < 1_000; n++) {
      line.add(1_000, 0.5);
    }
    for (int n = 0; n < 1_000; n++) {
      line.add(1_000, 0.1);
    }
    assertThat(line.rateAt(1)).isCloseTo(10_000, within(10.0));
  }
}
