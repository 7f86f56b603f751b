package dev.rondo.local.state;

import dev.rondo.embedded.ProcessTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Identifies a process by pid and start time, because the system reuses pids.
 *
 * @param started start time, ISO 8601; null if the system does not report it
 */
public record ProcessId(long pid, String started) {
  /** Start times are relative to the boot, so they shift when the clock is set. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  public static ProcessId of(ProcessHandle process) {
    return new ProcessId(
        process.pid(), process.info().startInstant().map(Instant::toString).orElse(null));
  }

  /** Returns the process if it still runs. */
  public Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessTree::isAlive).filter(this::hasSameStart);
  }

  public boolean isAlive() {
    return find().isPresent();
  }

  private boolean hasSameStart(ProcessHandle process) {
    var now = process.info().startInstant();
    if (started == null || now.isEmpty()) {
      return started == null && now.isEmpty();
    }
    return Duration.between(Instant.parse(started), now.get()).abs().compareTo(TOLERANCE) <= 0;
  }
}
