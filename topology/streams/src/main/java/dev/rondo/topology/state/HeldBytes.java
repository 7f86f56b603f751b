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
 * In-memory bytes of a {@link WriteBackStore}. A running task has its state as objects on the heap,
 * and the changelog has the bytes, so they are not held here as well:
 *
 * <pre>
 *   restore, standby   changelog → held
 *   take               held → objects          later writes go to the changelog only
 *   hold               objects → held          the task becomes a standby or restarts
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

  /** Passes all entries to {@code taken} and releases those that it accepts. */
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

  /** Holds an entry even while the others are taken. */
  void keep(Bytes key, byte[] value) {
    held.put(key, value);
  }

  /** Holds writes again. */
  void hold() {
    isTaken = false;
  }

  /** While entries are taken, a write only discards older bytes: the changelog has the newest. */
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
