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
 * The definitions of the ids of a partition, in memory and in a changelog. An entry is written when
 * it is new or changed, and once a day while it is used. An entry that is unused for {@link
 * #KEPT_DAYS} days is deleted. A new id is not stored while the instance has no memory for it.
 *
 * <pre>
 *   key     id
 *   value   day of the last write, since 1970, 4 bytes | definition, UTF-8
 * </pre>
 */
final class DefinitionStore implements Definitions {
  /** Days by the wall clock: longer than the repair of a sender takes. */
  static final int KEPT_DAYS = 30;

  /** Heap of an entry without its id and definition. */
  private static final long ENTRY_BYTES = 160;

  /** How often to call {@link #forgetUnused}. */
  static final Duration CLEANUP_INTERVAL = Duration.ofHours(1);

  private static final long DAY_MS = Duration.ofDays(1).toMillis();

  /**
   * Longest time between two cleanups, or from the last write to a start, unless the clock was set
   * or nothing ran.
   */
  private static final long MAX_GAP_MS = 2 * DAY_MS;

  private static final int DAY_BYTES = Integer.BYTES;

  private final KeyValueStore<byte[], byte[]> store;
  private final LongSupplier clockMs;
  private final MemoryShare memory;
  private long cleanedMs;

  /** When the clock has jumped, epoch ms. */
  private long jumpedMs;

  /** Counts the entries of the store in {@code memory}, which is closed with this object. */
  DefinitionStore(KeyValueStore<byte[], byte[]> store, LongSupplier clockMs, MemoryShare memory) {
    this.store = store;
    this.clockMs = clockMs;
    this.memory = memory;
    int newestDay = 0;
    try (KeyValueIterator<byte[], byte[]> entries = store.all()) {
      while (entries.hasNext()) {
        KeyValue<byte[], byte[]> entry = entries.next();
        count(1, entry.key, entry.value);
        newestDay = Math.max(newestDay, day(entry.value));
      }
    }
    this.cleanedMs = newestDay * DAY_MS;
    this.jumpedMs = cleanedMs - DAY_MS;
    noteJump();
  }

  /** Notes whether the clock has jumped since it was last read here, forward or back. */
  private void noteJump() {
    long nowMs = clockMs.getAsLong();
    if (Math.abs(nowMs - cleanedMs) > MAX_GAP_MS) {
      jumpedMs = nowMs;
    }
    cleanedMs = nowMs;
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

  /** The store with this name that belongs to the task. */
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
    boolean isUnchanged =
        entry != null
            && day(entry) == today(id)
            && Arrays.equals(entry, DAY_BYTES, entry.length, text, 0, text.length);
    if (!isUnchanged) {
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

  /** Today's day number of an id. Days start at a time that depends on the id, to spread writes. */
  private int today(byte[] id) {
    long offsetMs = DAY_MS * Byte.toUnsignedInt(id[0]) / 256;
    return (int) ((clockMs.getAsLong() + offsetMs) / DAY_MS);
  }

  private static int day(byte[] entry) {
    return ByteBuffer.wrap(entry).getInt();
  }

  /** Returns the memory. */
  void close() {
    memory.close();
  }

  /**
   * Deletes unused entries, unless the clock has jumped: then used ones get a day to be renewed.
   */
  void forgetUnused() {
    noteJump();
    if (cleanedMs - jumpedMs < DAY_MS) {
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
