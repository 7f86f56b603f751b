package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.schemaregistry.NamedSchemas.Named;
import java.util.HashMap;
import java.util.Map;

/**
 * Lookups of schemas that have failed lately, by topic: one that is repeated would fail again.
 * While there are too many, the oldest of the topic with the most are forgotten. Thread-safe.
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

  /** A lookup has failed for a topic. */
  synchronized void add(String topic, SchemaId id, String message) {
    Named failed = new Named(topic, id);
    named.add(failed).ifPresent(failures::remove);
    failures.put(failed, new Failure(message, System.nanoTime() + retryNanos));
  }

  /** Why the last lookup failed, if it is too early for another one; otherwise null. */
  synchronized String message(String topic, SchemaId id) {
    Failure failure = failures.get(new Named(topic, id));
    return failure == null || System.nanoTime() - failure.untilNanos() > 0
        ? null
        : failure.message();
  }
}
