package dev.rondo.topology.consolidate;

import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.rows.PendingRows.RowSink;
import dev.rondo.topology.segment.IgnoringSink;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentContext;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.TaskClock;
import dev.rondo.topology.segment.TaskMemory;
import dev.rondo.topology.state.HeldBytes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/** What consolidate does for every point, without Kafka. */
public final class PointPath {
  private static final int WIDTH = 200;
  private static final long LINGER_MS = 5000;

  private final TaskClock clock = new TaskClock(Long.MAX_VALUE / 2, 0);
  private final SegmentStore segments;
  private final SeriesIndex index;

  /**
   * Registers the series of {@code idents}, in this order, under the first policy.
   *
   * @param rows receives the rows that are complete
   */
  public PointPath(String policies, String[] idents, RowSink rows) {
    Policies known = PoliciesFile.parse(policies);
    SegmentContext task =
        SegmentContext.withoutArrivals(
            LINGER_MS, clock, TaskMemory.unbounded(), new RowsOnly(rows));
    SegmentCodec codec = new SegmentCodec(known, 0, task, FormatVersion.NEWEST);
    MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    HeldBytes bytes = new HeldBytes("segments");
    segments = new SegmentStore(bytes, bytes);
    segments.init(context.getStateStoreContext(), segments);
    segments.load(codec, 1);
    bytes = new HeldBytes("locations");
    LocationStore locations = new LocationStore(bytes, bytes);
    locations.init(context.getStateStoreContext(), locations);
    SourceMetrics sources = new SourceMetrics(new SimpleMeterRegistry());
    index = new SeriesIndex(0, 1, WIDTH, segments, codec, locations, sources);
    Policy policy = known.inOrder().get(0);
    for (String ident : idents) {
      index.register(ident, policy, 0, sources.topic("points"));
    }
  }

  private static final class RowsOnly extends IgnoringSink {
    private final RowSink rows;

    RowsOnly(RowSink rows) {
      this.rows = rows;
    }

    @Override
    public void row(Segment segment, int archive, long endMs, double[] values, Arrival arrival) {
      rows.row(archive, endMs, values, arrival);
    }
  }

  /** Adds a point: look-up, reorder window, arithmetic, and its closed slots into their rows. */
  public void add(String ident, long tMs, double value) {
    SeriesIndex.Location location = index.find(ident);
    clock.see(tMs);
    location.segment().add(location.series(), tMs, value);
  }

  /** Serializes the changed segments into the store below, as a commit does. */
  public void commit() {
    segments.flushCache();
  }
}
