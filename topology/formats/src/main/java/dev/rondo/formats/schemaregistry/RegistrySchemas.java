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
 * The schemas of a registry. {@link KnownSchemas} are cached; others are looked up by another
 * thread while {@link #get} waits: at most the timeout for each id, and in total what the {@link
 * WaitBudget} allows. After a failed lookup, its records are {@code unknown-schema} until the
 * retry.
 *
 * <p>Waits, lookups, failures and cached schemas are limited by topic, so that records of one topic
 * that name many schemas do not block other topics.
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

  /** Number of {@link #running} lookups, by the topic that started them. */
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

  /** Number of lookups with this outcome; cached schemas and recent failures need no lookup. */
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
    CompletableFuture<Schema> existing = running.putIfAbsent(id, result);
    if (existing != null) {
      return existing;
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
          unknown("%s: %d other lookups of the registry are running".formatted(id, ofTopic - 1));
      release(topic, id);
      result.completeExceptionally(refused); // another thread may be waiting for it
      throw refused;
    }
    return result;
  }

  private void release(String topic, SchemaId id) {
    running.remove(id);
    runningByTopic.computeIfPresent(topic, (name, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Releases the lookup before it completes the result, so that a waiting thread can start another
   * at once.
   */
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
      release(topic, id);
    }
    if (failure == null) {
      result.complete(schema);
    } else {
      result.completeExceptionally(failure);
    }
  }

  private Schema read(String topic, SchemaId id) throws IOException, InterruptedException {
    Schema schema = known.get(id); // another lookup may have found it meanwhile
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
    long maxNanos = result.isDone() ? 0 : waits.take(topic, timeoutNanos, startNanos);
    try {
      return result.get(maxNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw unknown(
          "%s: the registry has not answered within %d ms"
              .formatted(id, TimeUnit.NANOSECONDS.toMillis(maxNanos)));
    } catch (ExecutionException e) {
      throw unknown(e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown(id + ": interrupted during the lookup");
    } finally {
      waits.refund(topic, maxNanos - (System.nanoTime() - startNanos));
    }
  }

  private static DroppedException unknown(String detail) {
    return new DroppedException(DropReason.UNKNOWN_SCHEMA, detail);
  }
}
