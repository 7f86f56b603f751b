package dev.rondo.topology.consolidate;

import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Builds a {@link SegmentStore} over an in-memory key-value store with a compacted changelog. */
final class SegmentStoreBuilder implements StoreBuilder<SegmentStore> {
  private final StoreBuilder<KeyValueStore<Bytes, byte[]>> inner;

  SegmentStoreBuilder(String name) {
    inner =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingEnabled(Map.of())
            .withCachingDisabled();
  }

  @Override
  public SegmentStore build() {
    return new SegmentStore(inner.build());
  }

  @Override
  public StoreBuilder<SegmentStore> withCachingEnabled() {
    throw new UnsupportedOperationException("a segment store is its own cache");
  }

  @Override
  public StoreBuilder<SegmentStore> withCachingDisabled() {
    return this;
  }

  @Override
  public StoreBuilder<SegmentStore> withLoggingEnabled(Map<String, String> config) {
    inner.withLoggingEnabled(config);
    return this;
  }

  @Override
  public StoreBuilder<SegmentStore> withLoggingDisabled() {
    throw new UnsupportedOperationException("without its changelog a segment store loses state");
  }

  @Override
  public Map<String, String> logConfig() {
    return inner.logConfig();
  }

  @Override
  public boolean loggingEnabled() {
    return true;
  }

  @Override
  public String name() {
    return inner.name();
  }
}
