package dev.rondo.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacitiesTest {
  private static final Bundle BUNDLE = new Bundle("p", "wmean", 10_000, 1000);
  private final Capacities capacities = new Capacities();

  @ParameterizedTest
  @CsvSource({
    "0, 116, 8", "1, 116, 8", "8, 116, 8", "9, 116, 16", "33, 116, 64", "65, 116, 116",
    "116, 116, 116", "65, 200, 128", "129, 200, 213", "3, 5, 5", "1, 1, 1", "700, 1000, 1000"
  })
  void shouldBeAStepOrTheWidthOrWhatFitsAPage(int used, int width, int capacity) {
    assertThat(capacities.of(row(BUNDLE, 1, used, width))).isEqualTo(capacity);
  }

  @Test
  void shouldRememberTheLongestRowOfTheSegmentInAllBundles() {
    capacities.observe(row(BUNDLE, 1, 50, 116), 0);
    var coarse = new Bundle("p", "max", 60_000, 1000);
    assertThat(capacities.of(row(coarse, 1, 3, 116))).isEqualTo(64);
    assertThat(capacities.of(row(coarse, 2, 3, 116))).isEqualTo(8);
    var other = new Bundle("q", "max", 60_000, 1000);
    assertThat(capacities.of(row(other, 1, 3, 116))).isEqualTo(8);
  }

  @Test
  void shouldLearnFromWhatIsStored() {
    capacities.observe(row(BUNDLE, 1, 3, 116), 100);
    assertThat(capacities.of(row(BUNDLE, 1, 3, 116))).isEqualTo(116);
  }

  @Test
  void shouldNotCountUnknownValuesAtTheEnd() {
    double[] dp = new double[50];
    Arrays.fill(dp, Double.NaN);
    dp[10] = 1;
    var row = new Row(new Row.Key(BUNDLE, 1, 0), 116, 0, dp);
    assertThat(capacities.of(row)).isEqualTo(16);
  }

  private static Row row(Bundle bundle, int seg, int used, int width) {
    return new Row(new Row.Key(bundle, seg, 0), width, 0, new double[used]);
  }
}
