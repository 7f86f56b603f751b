package dev.rondo.bench.points;

import dev.rondo.topology.config.FormatVersion;
import dev.rondo.topology.lag.Arrival;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.rows.PendingRows.RowSink;
import dev.rondo.topology.segment.IgnoringSink;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.SegmentCodec;
import dev.rondo.topology.segment.SegmentContext;
import dev.rondo.topology.segment.SegmentStore;
import dev.rondo.topology.segment.TaskClock;
import dev.rondo.topology.segment.TaskMemory;
import dev.rondo.topology.state.HeldBytes;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/** The segments of a task without Kafka, and where each series is in them. */
final class SegmentsAlone {
  private static final int WIDTH = 200;
  private static final long LINGER_MS = 5000;

  private final TaskClock clock = new TaskClock(Long.MAX_VALUE / 2, 0);
  private final SegmentStore segments;
  private final Map<String, Location> locations = new HashMap<>();

  private record Location(Segment segment, int series) {}

  /**
   * Assigns the series of {@code idents}, in this order, to segments of the first policy.
   *
   * @param rows receives the rows that are complete
   */
  SegmentsAlone(String policies, String[] idents, RowSink rows) {
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
    Segment segment = null;
    for (int n = 0; n < idents.length; n++) {
      if (n % WIDTH == 0) {
        segment = codec.create(n / WIDTH, known.inOrder().get(0), WIDTH);
        segments.add(segment);
      }
      segment.assign(n % WIDTH, idents[n], "points");
      locations.put(idents[n], new Location(segment, n % WIDTH));
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
  void add(String ident, long tMs, double value) {
    Location location = locations.get(ident);
    clock.see(tMs);
    location.segment().add(location.series(), tMs, value);
  }

  /** Serializes the changed segments into the store below, as a commit does. */
  void commit() {
    segments.flushCache();
  }
}
