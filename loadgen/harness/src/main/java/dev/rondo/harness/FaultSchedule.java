package dev.rondo.harness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * An endless sequence of faults, with random pauses: a function of the seed, independent of how
 * long each fault takes.
 *
 * @param <F> a fault
 */
public final class FaultSchedule<F> {
  private final Function<Random, List<F>> rounds;
  private final long longestPauseMs;
  private final Random random;
  private final Deque<F> round = new ArrayDeque<>();

  /**
   * A fault and the pause before it.
   *
   * @param pauseMs wait before the fault, once all parts are ready
   */
  public record Scheduled<F>(F fault, long pauseMs) {}

  /**
   * A schedule that repeats a round of faults.
   *
   * @param rounds makes the next round; an empty one ends the schedule
   * @param longestPauseMs maximum of the pauses
   */
  public FaultSchedule(Function<Random, List<F>> rounds, long longestPauseMs, long seed) {
    this.rounds = rounds;
    this.longestPauseMs = longestPauseMs;
    this.random = new Random(seed);
  }

  /** False only if there are no faults. */
  public boolean hasNext() {
    if (round.isEmpty()) {
      round.addAll(rounds.apply(random));
    }
    return !round.isEmpty();
  }

  /**
   * The next fault.
   *
   * @throws java.util.NoSuchElementException if there are none
   */
  public Scheduled<F> next() {
    hasNext();
    long pauseMs = (long) (random.nextDouble() * longestPauseMs);
    return new Scheduled<>(round.remove(), pauseMs);
  }

  /** The faults in random order. */
  public static <F> List<F> shuffled(List<F> faults, Random random) {
    List<F> mixed = new ArrayList<>(faults);
    Collections.shuffle(mixed, random);
    return mixed;
  }
}
