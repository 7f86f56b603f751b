package dev.rondo.local.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortChoiceTest {
  private static final int DEFAULT = 9092;

  @Test
  void shouldTakeDefault() {
    assertThat(choice(Set.of(), Map.of(), false).choose("kafka", null, DEFAULT)).isEqualTo(DEFAULT);
  }

  @Test
  void shouldTakePortOfLastStart() {
    var choice = choice(Set.of(), Map.of("kafka", 17000), false);
    assertThat(choice.choose("kafka", null, DEFAULT)).isEqualTo(17000);
    assertThat(choice.notes()).isEmpty();
  }

  @Test
  void shouldTakeDefaultIfLastPortIsTaken() {
    var choice = choice(Set.of(17000), Map.of("kafka", 17000), false);
    assertThat(choice.choose("kafka", null, DEFAULT)).isEqualTo(DEFAULT);
  }

  @Test
  void shouldPreferGivenPortToLast() {
    var choice = choice(Set.of(), Map.of("kafka", 17000), false);
    assertThat(choice.choose("kafka", 18000, DEFAULT)).isEqualTo(18000);
  }

  @Test
  void shouldRejectGivenPortThatIsTaken() {
    var choice = choice(Set.of(18000), Map.of(), true);
    assertThatThrownBy(() -> choice.choose("kafka", 18000, DEFAULT))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "port 18000 is taken (by pid 7, java): choose another port for kafka with --kafka-port, or 0"
                + " for any free port");
  }

  @Test
  void shouldMoveWithANoteIfAnotherRondoIsExpected() {
    var choice = choice(Set.of(DEFAULT), Map.of(), true);
    assertThat(choice.choose("kafka", null, DEFAULT)).isEqualTo(20000);
    assertThat(choice.notes())
        .containsExactly(
            "port 9092 is taken (by pid 7, java): kafka is on port 20000 (--kafka-port)");
  }

  @Test
  void shouldRejectTakenDefaultOtherwise() {
    var choice = choice(Set.of(DEFAULT), Map.of(), false);
    assertThatThrownBy(() -> choice.choose("kafka", null, DEFAULT))
        .hasMessageContaining("port 9092 is taken")
        .hasMessageContaining("--kafka-port");
  }

  @Test
  void shouldTakeAnyFreePortForZero() {
    assertThat(choice(Set.of(), Map.of(), false).choose("kafka", 0, DEFAULT)).isEqualTo(20000);
  }

  @Test
  void shouldNotChooseAPortForTwoParts() {
    var choice = choice(Set.of(), Map.of(), true);
    choice.choose("kafka", 18000, DEFAULT);
    assertThatThrownBy(() -> choice.choose("api", 18000, 8888))
        .hasMessageContaining("by another part of this Rondo");
    assertThat(choice.choose("api", 0, 8888)).isEqualTo(20000);
    assertThat(choice.choose("connect", 0, 8083)).isEqualTo(20001);
    assertThat(choice.chosen()).containsOnlyKeys("kafka", "api", "connect");
  }

  private static PortChoice choice(Set<Integer> taken, Map<String, Integer> last, boolean mayMove) {
    Iterator<Integer> free = List.of(20000, 20000, 20001).iterator();
    return new PortChoice(
        last,
        mayMove,
        port -> !taken.contains(port),
        free::next,
        port -> Optional.of("pid 7, java"));
  }
}
