package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.schemaregistry.NamedSchemas.Named;
import java.util.HashMap;
import java.util.Map;

/**
 * Recently failed lookups, by topic; they are not repeated for a while. When full, evicts the
 * oldest of the topic with the most. Thread-safe.
 */
final class FailedLookups {
  static final int MAX = 10_000;

  private final long retryNanos;
  private final Map<Named, Failure> failures = new HashMap<>();
  private final NamedSchemas named = new NamedSchemas(MAX);

  private record Failure(String message, long untilNanos) {}

  /**
   * @param retryNanos time before a failed lookup is repeated
   */
  FailedLookups(long retryNanos) {
    this.retryNanos = retryNanos;
  }

  synchronized void add(String topic, SchemaId id, String message) {
    Named failed = new Named(topic, id);
    named.add(failed).ifPresent(failures::remove);
    failures.put(failed, new Failure(message, System.nanoTime() + retryNanos));
  }

  /** Returns why the last lookup failed; null if there is none or it is due again. */
  synchronized String message(String topic, SchemaId id) {
    Failure failure = failures.get(new Named(topic, id));
    return failure == null || System.nanoTime() - failure.untilNanos() > 0
        ? null
        : failure.message();
  }
}
