package dev.rondo.topology.consolidate;

import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.archive.ReorderWindow;
import dev.rondo.topology.archive.SlotSink;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.rows.PendingRows.RowSink;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** What the step consolidate does for every point, without Kafka: set up here and nowhere else. */
public final class PointPath {
  private static final int WIDTH = 200;
  private static final long LINGER_MS = 5000;

  private final SegmentStore segments;
  private final SeriesIndex index;
  private final RowSink toTopic;
  private final ReorderWindow.Target toSlots = this::take;
  private final SlotSink toRows = this::bufferRow;
  private Segment current;
  private long tMs;

  /**
   * Knows the series of {@code idents}, in this order, under the policies' first policy.
   *
   * @param toTopic takes the rows that are complete
   */
  public PointPath(String policies, String[] idents, RowSink toTopic) {
    this.toTopic = toTopic;
    Policies known = PoliciesFile.parse(policies);
    SegmentCodec codec = new SegmentCodec(known, LINGER_MS, 0, TaskMemory.unbounded());
    MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    segments = new SegmentStore(Stores.inMemoryKeyValueStore("segments").get());
    segments.init(context.getStateStoreContext(), segments);
    segments.load(codec, 0);
    index = new SeriesIndex(0, 1, WIDTH, segments, codec, positions(context));
    Policy policy = known.inOrder().get(0);
    for (String ident : idents) {
      index.register(ident, policy, 0);
    }
    segments.all().forEach(segment -> segment.live = WIDTH);
  }

  private static KeyValueStore<String, SeriesEntry> positions(
      MockProcessorContext<Void, Void> context) {
    KeyValueStore<String, SeriesEntry> positions =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("positions"),
                Serdes.String(),
                Topics.SERIES.valueSerde())
            .withLoggingDisabled()
            .build();
    positions.init(context.getStateStoreContext(), positions);
    return positions;
  }

  /** Takes a point: look-up, reorder window, arithmetic, and its closed slots into their rows. */
  public void add(String ident, long tMs, double value) {
    SeriesIndex.Location location = index.find(ident);
    this.tMs = tMs;
    current = location.segment();
    int series = location.series();
    current.window.add(series, tMs, value, current.slots.lateMs(series), toSlots);
  }

  private void take(int series, long tMs, double value) {
    current.slots.add(series, tMs, value, toRows);
    segments.changed(current);
  }

  private void bufferRow(int archive, int series, long endMs, double value) {
    current.rows.set(archive, series, endMs, value, current.live, tMs, tMs, toTopic);
  }

  /** What a commit does: the changed segments as bytes into the store below. */
  public void commit() {
    segments.flushCache();
  }
}
