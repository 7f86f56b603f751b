package dev.rondo.formats.schemaregistry;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
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
 * The schemas of a registry. A {@link KnownSchemas known} one needs no registry. An unknown one is
 * looked up by another thread, and {@link #get} waits for it: at most the timeout for each id, and
 * in sum no longer than the {@link WaitBudget} allows, whatever the registry does. A failed lookup
 * is not repeated for a while, and its records are {@code unknown-schema} meanwhile.
 *
 * <p>Ids come from records, so each topic has its part of waits, lookups, failures and known
 * schemas: records of one that name many schemas do not keep those of others from theirs.
 */
public final class RegistrySchemas implements Schemas {
  private static final int MAX_LOOKUPS = 64;
  private static final int MAX_LOOKUPS_OF_TOPIC = 4;

  private final SchemaLookup lookup;
  private final long timeoutNanos;
  private final WaitBudget waits;
  private final FailedLookups failures;
  private final KnownSchemas known = new KnownSchemas();
  private final Map<SchemaId, CompletableFuture<Schema>> running = new ConcurrentHashMap<>();

  /** Number of {@link #running} by the topic that has begun them. */
  private final Map<String, Integer> runningByTopic = new ConcurrentHashMap<>();

  private final Map<LookupOutcome, LongAdder> lookups = new EnumMap<>(LookupOutcome.class);
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0, MAX_LOOKUPS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), RegistrySchemas::daemon);

  /**
   * @param timeout longest wait for a schema
   * @param retry time before a failed lookup is repeated
   */
  public RegistrySchemas(SchemaLookup lookup, Duration timeout, Duration retry) {
    this.lookup = lookup;
    this.timeoutNanos = timeout.toNanos();
    this.waits = new WaitBudget(timeoutNanos);
    this.failures = new FailedLookups(retry.toNanos());
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
  public Schemas ofTopic(String topic) {
    return id -> get(topic, id);
  }

  @Override
  public Schema get(SchemaId id) throws DroppedException {
    return get("", id);
  }

  private Schema get(String topic, SchemaId id) throws DroppedException {
    Schema schema = known.get(id);
    if (schema != null) {
      return schema;
    }
    String failed = failures.message(topic, id);
    if (failed != null) {
      throw unknown(failed);
    }
    return await(topic, id, lookup(topic, id));
  }

  private CompletableFuture<Schema> lookup(String topic, SchemaId id) throws DroppedException {
    CompletableFuture<Schema> result = new CompletableFuture<>();
    CompletableFuture<Schema> before = running.putIfAbsent(id, result);
    if (before != null) {
      return before;
    }
    int ofTopic = runningByTopic.merge(topic, 1, Integer::sum);
    try {
      if (ofTopic > MAX_LOOKUPS_OF_TOPIC) {
        throw new RejectedExecutionException();
      }
      threads.execute(() -> lookup(topic, id, result));
    } catch (RejectedExecutionException e) {
      lookups.get(LookupOutcome.REFUSED).increment();
      DroppedException refused =
          unknown("%s: %d other lookups wait for the registry already".formatted(id, ofTopic - 1));
      ended(topic, id);
      result.completeExceptionally(refused); // another thread may wait for it
      throw refused;
    }
    return result;
  }

  private void ended(String topic, SchemaId id) {
    running.remove(id);
    runningByTopic.computeIfPresent(topic, (name, count) -> count == 1 ? null : count - 1);
  }

  /** Ends before it completes the result: whoever waits may look up the next at once. */
  private void lookup(String topic, SchemaId id, CompletableFuture<Schema> result) {
    Schema schema = null;
    Exception failure = null;
    try {
      schema = read(topic, id);
    } catch (IOException | RuntimeException e) {
      boolean isAnswered = e instanceof NoSuchSchemaException;
      lookups.get(isAnswered ? LookupOutcome.NOT_FOUND : LookupOutcome.FAILED).increment();
      failures.add(topic, id, e.getMessage() == null ? e.toString() : e.getMessage());
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = e;
    } finally {
      ended(topic, id);
    }
    if (failure == null) {
      result.complete(schema);
    } else {
      result.completeExceptionally(failure);
    }
  }

  private Schema read(String topic, SchemaId id) throws IOException, InterruptedException {
    Schema schema = known.get(id); // found between the caller's look and its turn
    if (schema == null) {
      schema = lookup.read(id);
      lookups.get(LookupOutcome.FOUND).increment();
    }
    known.add(topic, id, schema);
    return schema;
  }

  private Schema await(String topic, SchemaId id, CompletableFuture<Schema> result)
      throws DroppedException {
    long startNanos = System.nanoTime();
    long mostNanos = result.isDone() ? 0 : waits.take(topic, timeoutNanos, startNanos);
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
      waits.giveBack(topic, mostNanos - (System.nanoTime() - startNanos));
    }
  }

  private static DroppedException unknown(String detail) {
    return new DroppedException(DropReason.UNKNOWN_SCHEMA, detail);
  }
}
