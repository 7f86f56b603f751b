package dev.rondo.local.state;

import dev.rondo.embedded.ProcessTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that can be found again: pid alone would be taken for another process that got the same
 * one later.
 *
 * @param started when, ISO 8601; null where the system does not tell
 */
public record ProcessId(long pid, String started) {
  /** The kernel counts from boot: what it says about one process moves when the clock is set. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  public static ProcessId of(ProcessHandle process) {
    return new ProcessId(
        process.pid(), process.info().startInstant().map(Instant::toString).orElse(null));
  }

  /** The process, if it still runs. */
  public Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessTree::isAlive).filter(this::startedThen);
  }

  public boolean isAlive() {
    return find().isPresent();
  }

  private boolean startedThen(ProcessHandle process) {
    var now = process.info().startInstant();
    if (started == null || now.isEmpty()) {
      return started == null && now.isEmpty();
    }
    return Duration.between(Instant.parse(started), now.get()).abs().compareTo(TOLERANCE) <= 0;
  }
}
