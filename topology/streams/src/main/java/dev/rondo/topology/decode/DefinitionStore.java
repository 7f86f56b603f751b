package dev.rondo.topology.decode;

import dev.rondo.formats.Definitions;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.memory.MemoryShare;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * What the ids of a partition name, kept in memory and in a changelog. An entry is written when it
 * is new, changed, or was last written more than a day ago and is still used; one that nobody has
 * used for {@link #KEPT_DAYS} is forgotten, and so are ids for which the instance has no memory.
 *
 * <pre>
 *   key     id
 *   value   day of the last writing, since 1970, 4 bytes | definition, UTF-8
 * </pre>
 */
final class DefinitionStore implements Definitions {
  /** By the clock: longer than anybody repairs a sender. */
  static final int KEPT_DAYS = 30;

  /** Heap of an entry beside its id and definition. */
  private static final long ENTRY_BYTES = 160;

  /** How often to {@link #forgetUnused}. */
  static final Duration LOOK = Duration.ofHours(1);

  private static final long DAY_MS = Duration.ofDays(1).toMillis();

  /** Of two looks, unless the clock was set or the process was frozen. */
  private static final long MOST_APART_MS = 2 * DAY_MS;

  private static final int DAY_BYTES = Integer.BYTES;

  private final KeyValueStore<byte[], byte[]> store;
  private final LongSupplier clockMs;
  private final MemoryShare memory;
  private long lookedMs;

  /** With what the store holds; {@code memory} is closed with it. */
  DefinitionStore(KeyValueStore<byte[], byte[]> store, LongSupplier clockMs, MemoryShare memory) {
    this.store = store;
    this.clockMs = clockMs;
    this.memory = memory;
    this.lookedMs = clockMs.getAsLong();
    try (KeyValueIterator<byte[], byte[]> entries = store.all()) {
      entries.forEachRemaining(entry -> count(1, entry.key, entry.value));
    }
  }

  private void count(int entries, byte[] id, byte[] entry) {
    memory.add(entries, entries * (ENTRY_BYTES + id.length + entry.length));
  }

  static StoreBuilder<KeyValueStore<byte[], byte[]>> builder(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(name), Serdes.ByteArray(), Serdes.ByteArray())
        .withLoggingEnabled(Map.of())
        .withCachingDisabled();
  }

  /** The one of this name that belongs to the task. */
  static DefinitionStore of(ProcessorContext<?, ?> context, String name, MemoryAccount memory) {
    return new DefinitionStore(
        context.getStateStore(name), context::currentSystemTimeMs, memory.open());
  }

  @Override
  public boolean areKept() {
    return true;
  }

  @Override
  public String get(byte[] id) {
    byte[] entry = store.get(id);
    if (entry == null) {
      return null;
    }
    String definition =
        new String(entry, DAY_BYTES, entry.length - DAY_BYTES, StandardCharsets.UTF_8);
    if (day(entry) != today(id)) {
      write(id, definition.getBytes(StandardCharsets.UTF_8));
    }
    return definition;
  }

  @Override
  public void put(byte[] id, String definition) {
    byte[] entry = store.get(id);
    if (entry == null && memory.isFull()) {
      return;
    }
    byte[] text = definition.getBytes(StandardCharsets.UTF_8);
    boolean isAsBefore =
        entry != null
            && day(entry) == today(id)
            && Arrays.equals(entry, DAY_BYTES, entry.length, text, 0, text.length);
    if (!isAsBefore) {
      if (entry != null) {
        count(-1, id, entry);
      }
      count(1, id, write(id, text));
    }
  }

  private byte[] write(byte[] id, byte[] text) {
    byte[] entry = new byte[DAY_BYTES + text.length];
    ByteBuffer.wrap(entry).putInt(today(id)).put(text);
    store.put(id, entry);
    return entry;
  }

  /** The day of an id begins at an hour of its own, so that they are not all written at once. */
  private int today(byte[] id) {
    long offsetMs = DAY_MS * Byte.toUnsignedInt(id[0]) / 256;
    return (int) ((clockMs.getAsLong() + offsetMs) / DAY_MS);
  }

  private static int day(byte[] entry) {
    return ByteBuffer.wrap(entry).getInt();
  }

  /** The task leaves. */
  void close() {
    memory.close();
  }

  /** A clock that has jumped says nothing of use: those in use have until the next look. */
  void forgetUnused() {
    long beforeMs = lookedMs;
    lookedMs = clockMs.getAsLong();
    if (lookedMs - beforeMs > MOST_APART_MS) {
      return;
    }
    try (KeyValueIterator<byte[], byte[]> entries = store.all()) {
      while (entries.hasNext()) {
        KeyValue<byte[], byte[]> entry = entries.next();
        if (today(entry.key) - day(entry.value) > KEPT_DAYS) {
          store.delete(entry.key);
          count(-1, entry.key, entry.value);
        }
      }
    }
  }
}
