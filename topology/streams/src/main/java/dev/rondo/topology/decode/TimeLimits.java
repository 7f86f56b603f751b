package dev.rondo.topology.decode;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Which times points may have, relative to the time of their record.
 *
 * <pre>
 *        2000       written - age             written     written + future
 *   ───────|────────────|────────────────────────|────────────────|──────
 *        too-old        |              stored                     | too-far-in-the-future
 * </pre>
 *
 * @param maxFutureMs how far a point may be ahead of its record's time
 * @param maxAgeMs how far it may be behind that time; 0 = as far as the longest archive of its
 *     policy reaches
 * @param policies current policies
 */
public record TimeLimits(long maxFutureMs, long maxAgeMs, Supplier<Policies> policies) {
  /** Earliest time of a point, epoch ms; an earlier one has the wrong unit or is no time. */
  public static final long EARLIEST_MS = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

  /** Returns the limits set by {@code max.future.ms} and {@code max.age.ms}. */
  public static TimeLimits of(TopologyConfig config, Policies policies) {
    return of(config, () -> policies);
  }

  /** Returns the same limits for policies that may change. */
  public static TimeLimits of(TopologyConfig config, Supplier<Policies> policies) {
    return new TimeLimits(config.getLong("max.future.ms"), config.getLong("max.age.ms"), policies);
  }
}
