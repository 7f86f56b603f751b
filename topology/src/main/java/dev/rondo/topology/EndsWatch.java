package dev.rondo.topology;

import dev.rondo.topology.order.SourceEnds;
import dev.rondo.topology.order.SourceProgress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the broker four times a second where the source partitions end. */
final class EndsWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndsWatch.class);
  private static final long PERIOD_MS = 250;

  private final Admin admin;
  private final Map<TopicPartition, OffsetSpec> question;
  private final SourceProgress progress;
  private final ScheduledExecutorService asker =
      Executors.newSingleThreadScheduledExecutor(EndsWatch::daemon);

  private EndsWatch(Admin admin, Set<TopicPartition> sources, SourceProgress progress) {
    this.admin = admin;
    this.question =
        sources.stream().collect(Collectors.toMap(source -> source, source -> OffsetSpec.latest()));
    this.progress = progress;
  }

  /** Asks from now on; the admin client is closed with it. */
  @SuppressWarnings("FutureReturnValueIgnored") // it catches whatever it may throw
  static EndsWatch watch(Admin admin, Set<TopicPartition> sources, SourceProgress progress) {
    EndsWatch ends = new EndsWatch(admin, sources, progress);
    ends.asker.scheduleWithFixedDelay(ends::ask, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
    return ends;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "source-ends");
    thread.setDaemon(true);
    return thread;
  }

  private void ask() {
    long askedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    try {
      Map<TopicPartition, Long> offsets = new HashMap<>();
      admin
          .listOffsets(question, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
          .all()
          .get()
          .forEach((partition, end) -> offsets.put(partition, end.offset()));
      progress.ends(new SourceEnds(offsets, askedMs));
    } catch (ExecutionException | RuntimeException e) {
      LOG.debug("Failed to fetch end offsets; retrying in {} ms", PERIOD_MS, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    asker.shutdownNow();
    admin.close();
  }
}
