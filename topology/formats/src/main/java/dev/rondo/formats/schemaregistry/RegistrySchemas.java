package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The schemas of a registry. A known one is kept for good and needs no registry. An unknown one is
 * looked up by another thread, and {@link #get} waits for it: at most the timeout for each id, and
 * in sum no longer than the {@link WaitBudget} allows, whatever the registry does. A failed lookup
 * is not repeated for a while, and its records are {@code unknown-schema} meanwhile.
 */
public final class RegistrySchemas implements Schemas {
  private static final int MAX_LOOKUPS = 4;
  private static final int MAX_FAILURES = 10_000;

  /** More than a registry has; ids come from records. */
  private static final int MAX_KNOWN = 20_000;

  private final SchemaLookup lookup;
  private final long timeoutNanos;
  private final long retryNanos;
  private final WaitBudget waits;
  private final Map<SchemaId, Schema> known = new ConcurrentHashMap<>();
  private final Map<SchemaId, CompletableFuture<Schema>> running = new ConcurrentHashMap<>();
  private final Map<SchemaId, Failure> failures = new LinkedHashMap<>();
  private final Map<LookupOutcome, LongAdder> lookups = new EnumMap<>(LookupOutcome.class);
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0, MAX_LOOKUPS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), RegistrySchemas::daemon);

  private record Failure(String message, long untilNanos) {}

  /**
   * @param timeout longest wait for a schema
   * @param retry time before a failed lookup is repeated
   */
  public RegistrySchemas(SchemaLookup lookup, Duration timeout, Duration retry) {
    this.lookup = lookup;
    this.timeoutNanos = timeout.toNanos();
    this.retryNanos = retry.toNanos();
    this.waits = new WaitBudget(timeoutNanos);
    for (LookupOutcome outcome : LookupOutcome.values()) {
      lookups.put(outcome, new LongAdder());
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "schema-lookup");
    thread.setDaemon(true);
    return thread;
  }

  /** The URL of the registry. */
  public String registry() {
    return lookup.registry();
  }

  /** Lookups that have ended so; a known schema, and a recent failure, needs none. */
  public long lookups(LookupOutcome outcome) {
    return lookups.get(outcome).sum();
  }

  @Override
  public Schema get(SchemaId id) throws DroppedException {
    Schema schema = known.get(id);
    if (schema != null) {
      return schema;
    }
    String failed = failure(id);
    if (failed != null) {
      throw unknown(failed);
    }
    return await(id, lookup(id));
  }

  private CompletableFuture<Schema> lookup(SchemaId id) throws DroppedException {
    CompletableFuture<Schema> result = new CompletableFuture<>();
    CompletableFuture<Schema> before = running.putIfAbsent(id, result);
    if (before != null) {
      return before;
    }
    try {
      threads.execute(() -> lookup(id, result));
    } catch (RejectedExecutionException e) {
      lookups.get(LookupOutcome.REFUSED).increment();
      DroppedException refused =
          unknown("%s: %d other lookups wait for the registry already".formatted(id, MAX_LOOKUPS));
      running.remove(id);
      result.completeExceptionally(refused); // another thread may wait for it
      throw refused;
    }
    return result;
  }

  private void lookup(SchemaId id, CompletableFuture<Schema> result) {
    try {
      Schema schema = known.get(id); // found between the caller's look and its turn
      if (schema == null) {
        schema = lookup.read(id);
        lookups.get(LookupOutcome.FOUND).increment();
      }
      if (known.size() < MAX_KNOWN) {
        known.put(id, schema);
      }
      result.complete(schema);
    } catch (IOException | RuntimeException e) {
      boolean isAnswered = e instanceof NoSuchSchemaException;
      lookups.get(isAnswered ? LookupOutcome.NOT_FOUND : LookupOutcome.FAILED).increment();
      fail(id, e.getMessage() == null ? e.toString() : e.getMessage());
      result.completeExceptionally(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result.completeExceptionally(e);
    } finally {
      running.remove(id);
    }
  }

  private Schema await(SchemaId id, CompletableFuture<Schema> result) throws DroppedException {
    long startNanos = System.nanoTime();
    long mostNanos = result.isDone() ? 0 : waits.take(timeoutNanos, startNanos);
    try {
      return result.get(mostNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw unknown(
          "%s: the registry has not answered within %d ms"
              .formatted(id, TimeUnit.NANOSECONDS.toMillis(mostNanos)));
    } catch (ExecutionException e) {
      throw unknown(e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(id + ": interrupted while the registry was asked");
    } finally {
      waits.giveBack(mostNanos - (System.nanoTime() - startNanos));
    }
  }

  private static DroppedException unknown(String detail) {
    return new DroppedException(DropReason.UNKNOWN_SCHEMA, detail);
  }

  private void fail(SchemaId id, String message) {
    synchronized (failures) {
      failures.remove(id);
      if (failures.size() == MAX_FAILURES) {
        Iterator<SchemaId> oldest = failures.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
      failures.put(id, new Failure(message, System.nanoTime() + retryNanos));
    }
  }

  /** Why the last lookup failed, if it is too early for another one; otherwise null. */
  private String failure(SchemaId id) {
    synchronized (failures) {
      Failure failure = failures.get(id);
      return failure == null || System.nanoTime() - failure.untilNanos() > 0
          ? null
          : failure.message();
    }
  }
}
