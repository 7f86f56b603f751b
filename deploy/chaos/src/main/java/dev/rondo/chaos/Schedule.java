package dev.rondo.chaos;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Strikes without end. The same seed has the same ones in the same order, however long each takes.
 */
final class Schedule {
  private final Scenario scenario;
  private final long longestPauseMs;
  private final Random random;
  private final Deque<List<Part>> round = new ArrayDeque<>();

  /**
   * @param longestPauseMs pauses are anything from 0 up to it
   */
  Schedule(Scenario scenario, long longestPauseMs, long seed) {
    this.scenario = scenario;
    this.longestPauseMs = longestPauseMs;
    this.random = new Random(seed);
  }

  /** Always, but for a scenario without any. */
  boolean hasNext() {
    return !scenario.isQuiet();
  }

  /** The next one. */
  Strike next() {
    if (round.isEmpty()) {
      round.addAll(scenario.round(random));
    }
    return new Strike((long) (random.nextDouble() * longestPauseMs), round.remove());
  }
}
