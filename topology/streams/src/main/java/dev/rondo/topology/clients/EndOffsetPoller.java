package dev.rondo.topology.clients;

import dev.rondo.topology.order.EndOffsets;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker four times a second which source partitions there are, and then where they end.
 */
public final class EndOffsetPoller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndOffsetPoller.class);
  private static final long PERIOD_MS = 250;

  private final Admin admin;
  private final SourceListing listing;
  private final MergedPartitions merged;
  private final SourceProgress progress;
  private final ScheduledExecutorService asker =
      Executors.newSingleThreadScheduledExecutor(EndOffsetPoller::daemon);

  private EndOffsetPoller(
      Admin admin, SourceListing listing, MergedPartitions merged, SourceProgress progress) {
    this.admin = admin;
    this.listing = listing;
    this.merged = merged;
    this.progress = progress;
  }

  /** Asks from now on; until the first answer all partitions end at 0, where nothing leaves. */
  @SuppressWarnings("FutureReturnValueIgnored") // it catches whatever it may throw
  public static EndOffsetPoller watch(
      Admin admin, SourceListing listing, MergedPartitions merged, SourceProgress progress) {
    EndOffsetPoller ends = new EndOffsetPoller(admin, listing, merged, progress);
    progress.ends(new EndOffsets(Map.of(), nowMs()));
    ends.asker.scheduleWithFixedDelay(ends::ask, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
    return ends;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "source-ends");
    thread.setDaemon(true);
    return thread;
  }

  /** The time of a clock of this process that only goes forward, ms. */
  public static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  private void ask() {
    long askedMs = nowMs();
    try {
      listing.list(askedMs); // first: the ends are those of all partitions there were at that time
      if (merged.isMerging()) {
        progress.ends(new EndOffsets(ends(), askedMs));
      }
    } catch (ExecutionException | RuntimeException e) {
      LOG.debug("Failed to fetch end offsets; retrying in {} ms", PERIOD_MS, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<TopicPartition, Long> ends() throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    merged.partitions().forEach(partition -> question.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(question, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .get()
        .forEach((partition, end) -> offsets.put(partition, end.offset()));
    return offsets;
  }

  @Override
  public void close() {
    asker.shutdownNow();
  }
}
