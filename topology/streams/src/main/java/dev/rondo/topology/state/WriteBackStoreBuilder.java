package dev.rondo.topology.state;

import dev.rondo.schemas.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Builds a {@link WriteBackStore} over an in-memory key-value store with a compacted changelog. */
public final class WriteBackStoreBuilder<S extends WriteBackStore> implements StoreBuilder<S> {
  /**
   * Settings that compact changelogs early: every commit rewrites changed objects, and a restart
   * reads all that is not yet compacted. With a broker's defaults that is up to a gigabyte per
   * partition, and each deleted key for a day.
   */
  public static final Map<String, String> CHANGELOG =
      Map.of(
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
          Integer.toString(Topics.MAX_RECORD_BYTES),
          TopicConfig.SEGMENT_BYTES_CONFIG,
          Integer.toString(8 * 1024 * 1024),
          TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
          "0.2",
          TopicConfig.DELETE_RETENTION_MS_CONFIG,
          Long.toString(Duration.ofMinutes(10).toMillis()));

  private final String name;
  private final BiFunction<KeyValueStore<Bytes, byte[]>, HeldBytes, S> constructor;
  private Map<String, String> logConfig = CHANGELOG;

  /**
   * @param constructor creates a store from the store that it writes to and the bytes below
   */
  public WriteBackStoreBuilder(
      String name, BiFunction<KeyValueStore<Bytes, byte[]>, HeldBytes, S> constructor) {
    this.name = name;
    this.constructor = constructor;
  }

  @Override
  public S build() {
    HeldBytes held = new HeldBytes(name);
    return constructor.apply(
        Stores.keyValueStoreBuilder(supplier(held), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingEnabled(logConfig)
            .withCachingDisabled()
            .build(),
        held);
  }

  private static KeyValueBytesStoreSupplier supplier(HeldBytes held) {
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return held.name();
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return held;
      }

      @Override
      public String metricsScope() {
        return "in-memory";
      }
    };
  }

  @Override
  public StoreBuilder<S> withCachingEnabled() {
    throw new UnsupportedOperationException(name() + " is its own cache");
  }

  @Override
  public StoreBuilder<S> withCachingDisabled() {
    return this;
  }

  @Override
  public StoreBuilder<S> withLoggingEnabled(Map<String, String> config) {
    logConfig = Map.copyOf(config);
    return this;
  }

  @Override
  public StoreBuilder<S> withLoggingDisabled() {
    throw new UnsupportedOperationException("without its changelog " + name + " loses state");
  }

  @Override
  public Map<String, String> logConfig() {
    return logConfig;
  }

  @Override
  public boolean loggingEnabled() {
    return true;
  }

  @Override
  public String name() {
    return name;
  }
}
