package dev.rondo.topology.state;

import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The bytes of a {@link WriteBackStore}, in memory. A running task has them as objects on the heap
 * and a changelog has them anyway, so they need not be here as well:
 *
 * <pre>
 *   restore, standby   changelog → held
 *   take               held → objects          from then on writes go to the changelog only
 *   hold               objects → held          the task becomes a standby, or is restarted
 * </pre>
 *
 * Without {@link #take}, it is an ordinary in-memory store.
 */
public final class HeldBytes implements KeyValueStore<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> held;
  private boolean isTaken;

  public HeldBytes(String name) {
    held = Stores.inMemoryKeyValueStore(name).get();
  }

  /** Passes on all entries and releases those that {@code taken} accepts. */
  void take(BiPredicate<Bytes, byte[]> taken) {
    try (KeyValueIterator<Bytes, byte[]> entries = held.all()) {
      while (entries.hasNext()) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        if (taken.test(entry.key, entry.value)) {
          held.delete(entry.key);
        }
      }
    }
    isTaken = true;
  }

  /** Holds an entry, whether the others are taken or not. */
  void keep(Bytes key, byte[] value) {
    held.put(key, value);
  }

  /** Holds again what is written. */
  void hold() {
    isTaken = false;
  }

  /** While the others are taken, older bytes of the entry go: only the changelog has the newest. */
  @Override
  public void put(Bytes key, byte[] value) {
    held.put(key, isTaken ? null : value);
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    throw new UnsupportedOperationException("the bytes of " + name() + " may have been taken");
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    entries.forEach(entry -> put(entry.key, entry.value));
  }

  /** Also of an entry that was not taken. */
  @Override
  public byte[] delete(Bytes key) {
    return held.delete(key);
  }

  @Override
  public byte[] get(Bytes key) {
    return held.get(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return held.range(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return held.all();
  }

  @Override
  public long approximateNumEntries() {
    return held.approximateNumEntries();
  }

  @Override
  public String name() {
    return held.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    held.init(context, root);
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    held.commit(changelogOffsets);
  }

  @Override
  public void close() {
    held.close();
    isTaken = false;
  }

  @Override
  public boolean persistent() {
    return held.persistent();
  }

  @Override
  public boolean isOpen() {
    return held.isOpen();
  }

  @Override
  public Position getPosition() {
    return held.getPosition();
  }
}
