package dev.rondo.topology.drops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts what is not stored, by reason; every reason is there from the start, at 0. */
public final class Drops {
  private final Map<DropReason, Counter> counters = new EnumMap<>(DropReason.class);

  public Drops(MeterRegistry registry) {
    for (DropReason reason : DropReason.values()) {
      counters.put(
          reason,
          Counter.builder("rondo.drops.points")
              .description("Points not stored, by reason")
              .tag("reason", reason.key())
              .register(registry));
    }
  }

  /** One more point that was not stored. */
  public void count(DropReason reason) {
    counters.get(reason).increment();
  }
}
