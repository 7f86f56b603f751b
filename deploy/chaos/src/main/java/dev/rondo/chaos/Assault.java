package dev.rondo.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Strikes, one after the other: a pause, the kill, the wait until all victims are ready again. */
final class Assault {
  private static final Duration READY_BOUND = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Map<Part, Victim> victims;
  private final Consumer<String> teller;
  private final long beganNanos = System.nanoTime();
  private final List<Struck> struck = new ArrayList<>();

  /**
   * @param teller is told of each strike, in one line
   */
  Assault(Map<Part, Victim> victims, Consumer<String> teller) {
    this.victims = victims;
    this.teller = teller;
  }

  /** Strikes until {@code isOver}; in the end every part is ready. */
  List<Struck> strike(Schedule schedule, BooleanSupplier isOver) throws InterruptedException {
    while (schedule.hasNext()) {
      Strike strike = schedule.next();
      long until = System.nanoTime() + Duration.ofMillis(strike.pauseMs()).toNanos();
      while (System.nanoTime() < until && !isOver.getAsBoolean()) {
        Thread.sleep(LOOK.toMillis());
      }
      if (isOver.getAsBoolean()) {
        break;
      }
      struck.add(strike(strike));
    }
    return struck;
  }

  private Struck strike(Strike strike) throws InterruptedException {
    long killedNanos = System.nanoTime();
    strike.parts().parallelStream().forEach(part -> victims.get(part).kill());
    Map<Part, Double> ready = awaitReady(killedNanos);
    ready.keySet().retainAll(strike.parts());
    double at = (killedNanos - beganNanos) / 1e9;
    teller.accept(
        "%.0f s: killed %s; ready again after %s s"
            .formatted(at, strike.text(), ready.values().stream().map("%.1f"::formatted).toList()));
    return new Struck(strike, at, ready);
  }

  /** When each part was ready, in seconds since: the others, too, which may have ended with it. */
  private Map<Part, Double> awaitReady(long sinceNanos) throws InterruptedException {
    var ready = new EnumMap<Part, Double>(Part.class);
    while (ready.size() < victims.size()) {
      double passed = (System.nanoTime() - sinceNanos) / 1e9;
      victims.forEach(
          (part, victim) -> {
            if (victim.isReady()) {
              ready.putIfAbsent(part, passed);
            } else {
              ready.remove(part);
            }
          });
      if (passed > READY_BOUND.toSeconds()) {
        var missing = new ArrayList<>(victims.keySet());
        missing.removeAll(ready.keySet());
        throw new IllegalStateException(
            "not ready again within %d s: %s; the logs tell why"
                .formatted(READY_BOUND.toSeconds(), missing.stream().map(Part::label).toList()));
      }
      Thread.sleep(LOOK.toMillis());
    }
    return ready;
  }
}
