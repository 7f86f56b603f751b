package dev.rondo.topology.consolidate;

import dev.rondo.topology.archive.OpenSlots;
import dev.rondo.topology.archive.SeriesBytes;
import dev.rondo.topology.archive.SlotSink;
import dev.rondo.topology.archive.Verdict;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/**
 * The same arithmetic without segments: one state per series in a caching key-value store of Kafka
 * Streams, read and written for every point. The store is built by Streams (metered, caching, in
 * memory); its cache is large enough for all series. It is called directly and has no changelog.
 */
public final class CachingStorePath implements AutoCloseable {
  private static final String STORE = "slots";
  private static final long CACHE_BYTES = 1L << 30;

  private final TopologyTestDriver driver;
  private final KeyValueStore<String, byte[]> store;
  private final OpenSlots slots;
  private final byte[] none;

  /** Creates an empty store. */
  public CachingStorePath(String policies) {
    Policies known = PoliciesFile.parse(policies);
    Policy policy = known.inOrder().get(0);
    slots =
        new OpenSlots(policy.stepMs(), policy.heartbeatMs(), policy.finest(), policy.archives(), 1);
    none = SeriesBytes.write(slots);
    Topology topology = new Topology();
    topology.addSource(
        "source", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), "points");
    topology.addProcessor("consolidate", Idle::new, "source");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray())
            .withCachingEnabled()
            .withLoggingDisabled(),
        "consolidate");
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "bench");
    config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
    driver = new TopologyTestDriver(topology, config);
    store = driver.getKeyValueStore(STORE);
  }

  /** Adds a point: reads the state of its series, adds to it, and writes it back. */
  public Verdict add(String ident, long tMs, double value, SlotSink sink) {
    byte[] before = store.get(ident);
    SeriesBytes.read(before == null ? none : before, slots);
    Verdict verdict = slots.add(0, tMs, value, sink);
    store.put(ident, SeriesBytes.write(slots));
    return verdict;
  }

  /** Flushes the cache into the store below, as a commit does. */
  public void commit() {
    ((CachedStateStore<?, ?>) ((WrappedStateStore<?, ?, ?>) store).wrapped()).flushCache();
  }

  @Override
  public void close() {
    driver.close();
  }

  private static final class Idle extends ContextualProcessor<byte[], byte[], Void, Void> {
    @Override
    public void process(Record<byte[], byte[]> record) {}
  }
}
