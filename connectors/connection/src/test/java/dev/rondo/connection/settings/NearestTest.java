package dev.rondo.connection.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> TOPICS = List.of("orders", "points");

  @Test
  void shouldFindTheNearest() {
    assertThat(Nearest.to("point", TOPICS)).isEqualTo("points");
    assertThat(Nearest.to("metrics", TOPICS)).isIn(TOPICS);
  }

  @Test
  void shouldFindNoWordThatDiffersTooMuch() {
    assertThat(Nearest.like("pionts", TOPICS)).contains("points");
    assertThat(Nearest.like("metrics", TOPICS)).isEmpty();
    assertThat(Nearest.like("p", List.of("q"))).contains("q");
  }
}
