package dev.rondo.chaos.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * An endless sequence of faults: a function of the seed, independent of how long each fault takes.
 */
public final class FaultSchedule {
  private final Scenario scenario;
  private final long longestPauseMs;
  private final long longestMs;
  private final Random random;
  private final Deque<Fault> round = new ArrayDeque<>();

  /**
   * The schedule of a scenario.
   *
   * @param longestPauseMs maximum of the random pauses
   * @param longestMs maximum time that a part is frozen
   */
  public FaultSchedule(Scenario scenario, long longestPauseMs, long longestMs, long seed) {
    this.scenario = scenario;
    this.longestPauseMs = longestPauseMs;
    this.longestMs = longestMs;
    this.random = new Random(seed);
  }

  /** True except for a scenario without faults. */
  public boolean hasNext() {
    if (round.isEmpty()) {
      round.addAll(scenario.round(random, longestMs));
    }
    return !round.isEmpty();
  }

  /** The next one. */
  Fault next() {
    if (!hasNext()) {
      throw new IllegalStateException("%s has no faults".formatted(scenario.label()));
    }
    long pauseMs = (long) (random.nextDouble() * longestPauseMs);
    Fault next = round.remove();
    return new Fault(next.kind(), next.parts(), pauseMs, next.lastsMs());
  }
}
