package dev.rondo.topology.consolidate;

import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.memory.MemoryAccount;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.policy.PolicyVersions;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.state.WriteBackStoreBuilder;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Supplies the consolidate step: points and requests by partition → bundle rows, and the locations
 * of new series.
 */
public final class Consolidate
    implements ProcessorSupplier<Integer, SpecificRecord, Object, Object> {
  public static final String NAME = "consolidate";

  /** Child that receives rows: key = BundleRowKey, value = BundleRow. */
  public static final String BUNDLE_ROWS_CHILD = "bundle-rows";

  /** Child that receives locations: key = canonical ident, value = SeriesEntry. */
  public static final String SERIES_CHILD = "series";

  /** Store of the buffered batches. Changelogs are named after their stores. */
  public static final String MERGE_BUFFER_STORE = "merge-buffer";

  /** Store of the open slots and buffered rows, by segment. */
  public static final String SEGMENTS_STORE = "segments";

  /** Store of the locations of series, by ident. */
  public static final String LOCATIONS_STORE = "locations";

  /** Store of deleted series, by ident. */
  public static final String DELETED_STORE = "deleted";

  /**
   * Settings of the step.
   *
   * @param partitions number of tasks
   * @param width positions in a new segment
   * @param maxLingerMs longest time to buffer a row; half its step if that is shorter
   * @param refreshMs how often to emit open slots of archives with a longer step
   * @param emitsByTime whether the passing of time emits slots and retires series
   * @param merged merged source partitions
   * @param maxWaitMs how long the merge waits for a source partition that does not advance
   * @param progress end offsets of the source partitions
   * @param replayEpoch number of the latest replay; older state is rewound
   * @param maxFutureMs how far a point may be ahead of the time of its record
   * @param newSeriesPerSecond limit for all partitions together
   * @param newSeriesBurst how many new series may exceed that limit at once, in all partitions
   *     together
   * @param format format of written state
   */
  public record Settings(
      PolicyVersions policies,
      int partitions,
      int width,
      long maxLingerMs,
      long refreshMs,
      boolean emitsByTime,
      MergedPartitions merged,
      long maxWaitMs,
      SourceProgress progress,
      int replayEpoch,
      long maxFutureMs,
      long newSeriesPerSecond,
      long newSeriesBurst,
      FormatVersion format) {}

  /** What the tasks of an instance share. */
  record Shared(
      Settings settings,
      SeriesLocations locations,
      Drops drops,
      MemoryBudget memory,
      SourceMetrics sources,
      SeriesInquiry inquiry,
      MeterRegistry registry) {}

  private final Shared shared;

  /**
   * @param locations locations of the series of all instances
   * @param memory budget of all tasks
   * @param inquiry questions that all tasks answer
   */
  public Consolidate(
      Settings settings,
      SeriesLocations locations,
      Drops drops,
      MemoryBudget memory,
      SeriesInquiry inquiry,
      MeterRegistry registry) {
    this.shared =
        new Shared(
            settings, locations, drops, memory, new SourceMetrics(registry), inquiry, registry);
    Gauge.builder("rondo.merge.buffered.points", memory.merge(), MemoryAccount::entries)
        .description("Points buffered until other source partitions catch up")
        .register(registry);
  }

  @Override
  public Processor<Integer, SpecificRecord, Object, Object> get() {
    return new ConsolidateProcessor(shared);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(
        new WriteBackStoreBuilder<>(
            MERGE_BUFFER_STORE,
            (inner, held) ->
                new MergeBufferStore<SeriesIndex.Location>(
                    inner, held, shared.settings().format())),
        new WriteBackStoreBuilder<>(SEGMENTS_STORE, SegmentStore::new),
        new WriteBackStoreBuilder<>(LOCATIONS_STORE, LocationStore::new),
        deletedStore());
  }

  private static StoreBuilder<?> deletedStore() {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(DELETED_STORE), Serdes.String(), Deletion.SERDE)
        .withLoggingEnabled(WriteBackStoreBuilder.CHANGELOG)
        .withCachingDisabled();
  }
}
