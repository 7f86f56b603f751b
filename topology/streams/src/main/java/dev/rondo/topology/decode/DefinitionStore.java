package dev.rondo.topology.decode;

import dev.rondo.formats.Definitions;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryShare;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
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
 * Definitions of the ids of a partition, in memory and in a changelog. Each source topic has its
 * own. An entry is written when it is new or changed, and once a day while it is used; it is
 * deleted after {@link #KEPT_DAYS} unused days. A new id is not stored while the memory is full or
 * its source has used up its share.
 *
 * <pre>
 *   key     id, 16 bytes | topic, UTF-8
 *   value   day of the last write, since 1970, 4 bytes | definition, UTF-8
 * </pre>
 *
 * <p>Keys without a topic come from versions in which all sources of a task shared definitions.
 * They are read-only; a source that uses one gets its own copy.
 */
final class DefinitionStore {
  private static final int ID_BYTES = 16;

  /** Days by the wall clock; longer than repairing a sender takes. */
  static final int KEPT_DAYS = 30;

  /** Heap of an entry without its id and definition. */
  private static final long ENTRY_BYTES = 160;

  /** How often to call {@link #forgetUnused}. */
  static final Duration CLEANUP_INTERVAL = Duration.ofHours(1);

  private static final long DAY_MS = Duration.ofDays(1).toMillis();

  /**
   * Longest time between two cleanups, or from the last write to a start. A longer one means that
   * the clock was set or nothing ran.
   */
  private static final long MAX_GAP_MS = 2 * DAY_MS;

  private static final int DAY_BYTES = Integer.BYTES;

  private final KeyValueStore<byte[], byte[]> store;
  private final LongSupplier clockMs;
  private final FairMemory memory;
  private final Map<String, MemoryShare> shares = new HashMap<>();
  private long cleanedMs;

  /** When a clock jump was last noticed, epoch ms. */
  private long jumpedMs;

  /** Number of entries without a topic. */
  private long shared;

  /** Counts the entries of the store in {@code memory}, until this object is closed. */
  DefinitionStore(KeyValueStore<byte[], byte[]> store, LongSupplier clockMs, FairMemory memory) {
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

  /** Notes a jump of the clock, forward or back, since the last call. */
  private void noteJump() {
    long nowMs = clockMs.getAsLong();
    if (Math.abs(nowMs - cleanedMs) > MAX_GAP_MS) {
      jumpedMs = nowMs;
    }
    cleanedMs = nowMs;
  }

  private void count(int entries, byte[] key, byte[] entry) {
    count(share(topic(key)), entries, key, entry);
    if (key.length == ID_BYTES) {
      shared += entries;
    }
  }

  private static void count(MemoryShare share, int entries, byte[] key, byte[] entry) {
    share.add(entries, entries * (ENTRY_BYTES + key.length + entry.length));
  }

  private MemoryShare share(String topic) {
    return shares.computeIfAbsent(topic, name -> memory.of(name).open());
  }

  private static String topic(byte[] key) {
    return new String(key, ID_BYTES, key.length - ID_BYTES, StandardCharsets.UTF_8);
  }

  static StoreBuilder<KeyValueStore<byte[], byte[]>> builder(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(name), Serdes.ByteArray(), Serdes.ByteArray())
        .withLoggingEnabled(Map.of())
        .withCachingDisabled();
  }

  static DefinitionStore of(ProcessorContext<?, ?> context, String name, FairMemory memory) {
    return new DefinitionStore(context.getStateStore(name), context::currentSystemTimeMs, memory);
  }

  /** Returns the definitions of a source topic. */
  Definitions of(String topic) {
    return new OfSource(topic.getBytes(StandardCharsets.UTF_8), share(topic));
  }

  private final class OfSource implements Definitions {
    private final byte[] topic;
    private final MemoryShare memory;

    OfSource(byte[] topic, MemoryShare memory) {
      this.topic = topic;
      this.memory = memory;
    }

    @Override
    public boolean areKept() {
      return true;
    }

    @Override
    public String get(byte[] id) {
      byte[] key = key(id);
      byte[] entry = store.get(key);
      if (entry == null) {
        return shared == 0 ? null : adopt(id);
      }
      String definition = definition(entry);
      if (day(entry) != today(key)) {
        write(key, definition.getBytes(StandardCharsets.UTF_8));
      }
      return definition;
    }

    /** Returns a definition that all sources shared, and copies it for this source. */
    private String adopt(byte[] id) {
      byte[] entry = store.get(id);
      if (entry == null) {
        return null;
      }
      String definition = definition(entry);
      put(id, definition);
      return definition;
    }

    @Override
    public void put(byte[] id, String definition) {
      byte[] key = key(id);
      byte[] entry = store.get(key);
      if (entry == null && memory.isFull()) {
        return;
      }
      byte[] text = definition.getBytes(StandardCharsets.UTF_8);
      boolean isUnchanged =
          entry != null
              && day(entry) == today(key)
              && Arrays.equals(entry, DAY_BYTES, entry.length, text, 0, text.length);
      if (!isUnchanged) {
        if (entry != null) {
          count(memory, -1, key, entry);
        }
        count(memory, 1, key, write(key, text));
      }
    }

    private byte[] key(byte[] id) {
      byte[] key = Arrays.copyOf(id, ID_BYTES + topic.length);
      System.arraycopy(topic, 0, key, ID_BYTES, topic.length);
      return key;
    }
  }

  private static String definition(byte[] entry) {
    return new String(entry, DAY_BYTES, entry.length - DAY_BYTES, StandardCharsets.UTF_8);
  }

  private byte[] write(byte[] key, byte[] text) {
    byte[] entry = new byte[DAY_BYTES + text.length];
    ByteBuffer.wrap(entry).putInt(today(key)).put(text);
    store.put(key, entry);
    return entry;
  }

  /**
   * Returns today's number for a key. Days start at a time that depends on the id, to spread
   * writes.
   */
  private int today(byte[] key) {
    long offsetMs = DAY_MS * Byte.toUnsignedInt(key[0]) / 256;
    return (int) ((clockMs.getAsLong() + offsetMs) / DAY_MS);
  }

  private static int day(byte[] entry) {
    return ByteBuffer.wrap(entry).getInt();
  }

  void close() {
    shares.values().forEach(MemoryShare::close);
  }

  /**
   * Deletes unused entries. For a day after a clock jump it deletes none, so that used entries can
   * be renewed.
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
