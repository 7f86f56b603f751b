package dev.rondo.bench.points;

import dev.rondo.topology.rows.PendingRows.RowSink;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in its segment: 100 000 series, one after the other, with a point every 10 s, so
 * that every point closes a slot of 10 s, and every sixth one a slot of a minute. The idents are
 * the same strings each time, so their hash is cached; idents from a record are new strings.
 *
 * <pre>
 *   benchmark                    ns a point   B allocated a point
 *   segments                            196                    20
 *   segmentsWithReorderWindow           256                    20
 *   segmentsWithCommit                  637                   130
 *
 *   ./rondo bench points -f 1 -wi 3 -w 1 -i 5 -r 1
 *   OpenJDK 17.0.15, 2 cores of an Intel Xeon that did nothing else. The 20 B are the row: its values,
 *   and their copy.
 * </pre>
 */
public class PointBenchmark extends NanosBenchmark {
  private static final int SERIES = 100_000;
  private static final long STEP_MS = 10_000;
  private static final String POLICY =
      """
      policies:
        - name: p
          match: '.*'
          step: 10s
          heartbeat: 2m
          reorder: %s
          archives: ["10s:6h", "1m:7d", "1h:1y"]
      """;

  private final String[] idents = new String[SERIES];
  private long tMs = 1_700_000_000_000L;
  private SegmentsAlone segments;
  private SegmentsAlone reordering;

  /** Creates the series, without and with a reorder window. */
  @Setup
  public void register(Blackhole rows) {
    for (int series = 0; series < SERIES; series++) {
      idents[series] =
          "shop.prod.rack%02d.web%05d.cpu.core%02d.usage.mean"
              .formatted(series / 100 % 97, series / 100, series % 100);
    }
    RowSink toTopic = (archive, endMs, values, arrival) -> rows.consume(values);
    segments = new SegmentsAlone(POLICY.formatted("0s"), idents, toTopic);
    reordering = new SegmentsAlone(POLICY.formatted("30s"), idents, toTopic);
  }

  /** Look-up, arithmetic, closed slots into their rows. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void segments() {
    addRound(segments);
  }

  /** The same with a commit for every round of points. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void segmentsWithCommit() {
    addRound(segments);
    segments.commit();
  }

  /** With a window in which each point waits for three more of its series. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void segmentsWithReorderWindow() {
    addRound(reordering);
  }

  private void addRound(SegmentsAlone to) {
    tMs += STEP_MS;
    for (String ident : idents) {
      to.add(ident, tMs, (double) (tMs % 777));
    }
  }
}
