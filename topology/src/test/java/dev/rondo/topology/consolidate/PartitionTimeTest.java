package dev.rondo.topology.consolidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionTimeTest {
  private static final long MAX_WAIT_MS = 1_000;

  private final PartitionTime time =
      new PartitionTime(List.of("a", "b"), Long.MIN_VALUE, MAX_WAIT_MS, 0);

  private void see(String topic, long tMs, long wallMs) {
    time.see(time.lane(topic), tMs, wallMs);
  }

  @Test
  void shouldHaveNoTimeBeforeTheFirstPoint() {
    assertThat(time.newestMs()).isEqualTo(Long.MIN_VALUE);
    assertThat(time.atMs(5_000)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldBeThatOfTheTopicFurthestBehind() {
    see("a", 10_000, 100);
    assertThat(time.newestMs()).as("b has never brought a point").isEqualTo(10_000);
    see("b", 7_000, 200);
    assertThat(time.newestMs()).isEqualTo(7_000);
    see("b", 12_000, 300);
    assertThat(time.newestMs()).isEqualTo(10_000);
    see("b", 11_000, 400);
    assertThat(time.newestMs()).as("it does not go back").isEqualTo(10_000);
  }

  @Test
  void shouldGoOnWithTheClockWhileNothingComes() {
    see("a", 10_000, 100);
    see("b", 7_000, 600);
    assertThat(time.atMs(1_600)).isEqualTo(8_000);
    see("b", 20_000, 1_000);
    assertThat(time.atMs(1_600)).isEqualTo(11_500);
  }

  @Test
  void shouldLeaveATopicOutThatIsSilentWhileOthersAreNot() {
    see("b", 7_000, 0);
    see("a", 10_000, MAX_WAIT_MS);
    assertThat(time.newestMs()).isEqualTo(7_000);
    see("a", 11_000, MAX_WAIT_MS + 1);
    assertThat(time.newestMs()).isEqualTo(11_000);
    see("b", 8_000, MAX_WAIT_MS + 2);
    assertThat(time.newestMs()).isEqualTo(8_000);
  }

  @Test
  void shouldWaitForEachTopicAfterARestart() {
    PartitionTime restarted = new PartitionTime(List.of("a", "b"), 5_000, MAX_WAIT_MS, 0);
    restarted.see(restarted.lane("a"), 60_000, 10);
    assertThat(restarted.newestMs()).isEqualTo(5_000);
  }

  @Test
  void shouldCountATopicThatWasNotExpectedOnceItsPointsCome() {
    see("a", 10_000, 100);
    see("other", 5_000, 200);
    assertThat(time.newestMs()).isEqualTo(5_000);
  }
}
