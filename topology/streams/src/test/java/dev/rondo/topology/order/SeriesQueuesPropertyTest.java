package dev.rondo.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Point;
import dev.rondo.topology.lag.Lag;
import dev.rondo.topology.memory.FairMemory;
import dev.rondo.topology.memory.MemoryAccount;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.TopicPartition;

/** Series become known when points are released, and are retired while others are buffered. */
class SeriesQueuesPropertyTest {
  private static final int SERIES = 4;
  private static final int SOURCES = 3;
  private static final int BATCHES = 200;

  private final MemoryAccount account = MemoryAccount.of(Long.MAX_VALUE);
  private final MergeMemory memory = new MergeMemory(new FairMemory(account), "lines");
  private final Map<String, BufferedSeries> index = new HashMap<>();
  private final SeriesQueues<BufferedSeries> queues = new SeriesQueues<>(index::get);
  private final List<SourcePartition> sources =
      IntStream.range(0, SOURCES)
          .mapToObj(n -> SourceHeaders.id(new TopicPartition("lines", n)))
          .map(id -> source(ByteBuffer.wrap(id)))
          .toList();
  private final Map<String, List<Long>> released = new HashMap<>();
  private Random random = new Random(0);

  private SourcePartition source(ByteBuffer id) {
    return new SourcePartition(id, true, memory, 0, new Lag(Clock.systemUTC()));
  }

  @Property(tries = 500)
  void shouldReleaseEachPointOnceAndInOrder(@ForAll long seed) {
    random = new Random(seed);
    index.clear();
    released.clear();
    Map<String, List<Long>> added = new HashMap<>();
    Deque<SourcePartition> order = new ArrayDeque<>();
    for (int n = 0; n < BATCHES; n++) {
      SourcePartition source = sources.get(random.nextInt(SOURCES));
      source.add(queues.add(batch(n, added), source, null));
      order.add(source);
      if (random.nextInt(3) == 0) {
        retire("s" + random.nextInt(SERIES));
      }
      while (!order.isEmpty() && random.nextInt(10) < 6) {
        release(order.remove());
      }
    }
    order.forEach(this::release);
    assertThat(released).isEqualTo(added);
    memory.report();
    assertThat(account.bytes()).isZero();
  }

  private Batch batch(int n, Map<String, List<Long>> added) {
    List<Point> points = new ArrayList<>();
    for (int count = 1 + random.nextInt(3); count > 0; count--) {
      String ident = "s" + random.nextInt(SERIES);
      long ms = 10L * n + 3 - count;
      points.add(new Point(ident, ms, 1.0));
      added.computeIfAbsent(ident, series -> new ArrayList<>()).add(ms);
    }
    return new Batch(10L * n, ByteBuffer.allocate(0), n, n, "", points);
  }

  private void release(SourcePartition source) {
    BufferedBatch buffered = source.remove();
    queues.release(buffered, source, Long.MAX_VALUE, this::collect);
  }

  private void collect(Batch batch, int n, BufferedSeries known) {
    Point point = batch.points().get(n);
    assertThat(known).isSameAs(index.get(point.getIdent()));
    if (known == null && random.nextInt(3) > 0) {
      index.put(point.getIdent(), new BufferedSeries(point.getIdent()));
      queues.registered(index.get(point.getIdent()));
    }
    released.computeIfAbsent(point.getIdent(), ident -> new ArrayList<>()).add(point.getT());
  }

  private void retire(String ident) {
    BufferedSeries known = index.remove(ident);
    if (known != null) {
      queues.retired(known);
    }
  }
}
