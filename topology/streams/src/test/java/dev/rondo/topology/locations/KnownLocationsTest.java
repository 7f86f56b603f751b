package dev.rondo.topology.locations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownLocationsTest {
  private final KnownLocations locations = new KnownLocations();

  @Test
  void shouldReturnTheOtherPartition() {
    assertThat(locations.put("a", 3)).isEqualTo(-1);
    assertThat(locations.put("a", 3)).as("unchanged").isEqualTo(-1);
    assertThat(locations.put("a", 0)).isEqualTo(3);
    assertThat(locations.isElsewhere("a", 3)).isTrue();
    assertThat(locations.isElsewhere("a", 0)).isFalse();
    assertThat(locations.isElsewhere("b", 0)).as("unknown").isFalse();
  }

  @Test
  void shouldForgetARetiredSeries() {
    locations.put("a", 3);
    locations.remove("a");
    assertThat(locations.isElsewhere("a", 0)).isFalse();
    assertThat(locations.put("a", 0)).isEqualTo(-1);
  }
}
