package dev.rondo.topology.consolidate;

import dev.rondo.topology.rows.PendingRows.RowSink;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of a point in consolidate: 100 000 series, one after the other, with a point every 10 s, so
 * that every point closes a slot of 10 s, and every sixth one a slot of a minute. The idents are
 * the same strings each time, so their hash is cached; idents from a record are new strings.
 *
 * <pre>
 *   benchmark                    ns a point   B allocated a point
 *   segments                            196                    20
 *   segmentsWithReorderWindow           256                    20
 *   segmentsWithCommit                  637                   130
 *   cachingStore                       1205                   507
 *   cachingStoreWithCommit             1532                   549
 *
 *   ./rondo bench points -f 1 -wi 3 -w 1 -i 5 -r 1
 *   OpenJDK 17.0.15, 2 cores of an Intel Xeon that did nothing else. The 20 B are the row: its values,
 *   and their copy.
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgs = {
      "-Xmx2g",
      "-Dlog4j2.configurationFile=classpath:dev/rondo/connection/command/log4j2.properties"
    })
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class PointBenchmark {
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
  private PointPath segments;
  private PointPath reordering;
  private CachingStorePath cachingStore;

  /** Creates the idents, and both ways to keep the state of the series. */
  @Setup
  public void register(Blackhole rows) {
    for (int series = 0; series < SERIES; series++) {
      idents[series] =
          "shop.prod.rack%02d.web%05d.cpu.core%02d.usage.mean"
              .formatted(series / 100 % 97, series / 100, series % 100);
    }
    RowSink toTopic = (archive, endMs, values, arrival) -> rows.consume(values);
    segments = new PointPath(POLICY.formatted("0s"), idents, toTopic);
    reordering = new PointPath(POLICY.formatted("30s"), idents, toTopic);
    cachingStore = new CachingStorePath(POLICY.formatted("0s"));
  }

  /** Look-up, arithmetic, closed slots into their rows. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void segments() {
    tMs += STEP_MS;
    for (String ident : idents) {
      segments.add(ident, tMs, (double) (tMs % 777));
    }
  }

  /** The same with a commit for every round of points. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void segmentsWithCommit() {
    segments();
    segments.commit();
  }

  /** With a window in which each point waits for three more of its series. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void segmentsWithReorderWindow() {
    tMs += STEP_MS;
    for (String ident : idents) {
      reordering.add(ident, tMs, (double) (tMs % 777));
    }
  }

  /** The same arithmetic on a state per series in Streams' caching store. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void cachingStore(Blackhole slots) {
    tMs += STEP_MS;
    for (String ident : idents) {
      cachingStore.add(
          ident,
          tMs,
          (double) (tMs % 777),
          (archive, series, endMs, value) -> slots.consume(value));
    }
  }

  /** The same with a commit for every round of points. */
  @Benchmark
  @OperationsPerInvocation(SERIES)
  public void cachingStoreWithCommit(Blackhole slots) {
    cachingStore(slots);
    cachingStore.commit();
  }

  @TearDown
  public void close() {
    cachingStore.close();
  }
}
