package dev.rondo.topology.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** A minimal state: the offset up to which a task has read its partition. */
final class SeenStore extends WriteBackStore {
  static final String NAME = "seen";

  private static final Bytes KEY = Bytes.wrap("seen".getBytes(StandardCharsets.UTF_8));

  private long seen;

  SeenStore(KeyValueStore<Bytes, byte[]> inner, HeldBytes held) {
    super(inner, held);
  }

  static WriteBackStoreBuilder<SeenStore> builder() {
    return new WriteBackStoreBuilder<>(NAME, SeenStore::new);
  }

  static long read(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** Returns the restored offset after the last record, 0 = none. */
  long load() {
    byte[] bytes = inner().get(KEY);
    seen = bytes == null ? 0 : read(bytes);
    return seen;
  }

  void see(long offset) {
    seen = offset + 1;
  }

  @Override
  protected void writeBack(KeyValueStore<Bytes, byte[]> inner) {
    inner.put(KEY, ByteBuffer.allocate(Long.BYTES).putLong(seen).array());
  }

  @Override
  protected void forget() {
    seen = 0;
  }
}
