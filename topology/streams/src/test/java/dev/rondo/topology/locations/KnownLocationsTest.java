package dev.rondo.topology.locations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownLocationsTest {
  private final KnownLocations places = new KnownLocations();

  @Test
  void shouldTellTheOtherPartition() {
    assertThat(places.put("a", 3)).isEqualTo(-1);
    assertThat(places.put("a", 3)).as("told again").isEqualTo(-1);
    assertThat(places.put("a", 0)).isEqualTo(3);
    assertThat(places.isElsewhere("a", 3)).isTrue();
    assertThat(places.isElsewhere("a", 0)).isFalse();
    assertThat(places.isElsewhere("b", 0)).as("not known").isFalse();
  }

  @Test
  void shouldForgetARetiredSeries() {
    places.put("a", 3);
    places.remove("a");
    assertThat(places.isElsewhere("a", 0)).isFalse();
    assertThat(places.put("a", 0)).isEqualTo(-1);
  }
}
