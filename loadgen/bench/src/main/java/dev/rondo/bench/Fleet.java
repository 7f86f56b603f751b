package dev.rondo.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import picocli.CommandLine.Option;

/** Options for the topology and its series. */
final class Fleet {
  private static final String COMMITS = "kafka_stream_thread_commit_total";
  private static final Duration POLL = Duration.ofMillis(100);

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "16",
      description = "Partitions of the topology (default: 16).")
  int partitions;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "Maximum heap of the topology, as -Xmx (default: 1g).")
  String heap;

  @Option(
      names = "--load",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "How long every series sends a point every 10 s before the measurement (default: 30).")
  int loadSeconds;

  /** Starts a topology that accepts {@code series} of them. */
  Stage start(int series) throws IOException {
    return Stage.start(partitions, heap, series);
  }

  /**
   * Creates the series, sends their points in real time, and waits until the topology has stored
   * all of them.
   */
  void fill(Stage stage, int count, Progress progress)
      throws IOException, ExecutionException, InterruptedException {
    Series series = new Series(count, partitions);
    double before = stage.probe().metric(Progress.STORED);
    long points = 0;
    long tMs = System.currentTimeMillis() / Series.STEP_MS * Series.STEP_MS - 2 * Series.STEP_MS;
    try (Producer<byte[], byte[]> producer = stage.producer()) {
      int rounds = 2 + (int) ((loadSeconds * 1000L + Series.STEP_MS - 1) / Series.STEP_MS);
      for (int round = 0; round < rounds; round++, tMs += Series.STEP_MS) {
        long spreadMs = round < 2 ? 0 : Series.STEP_MS;
        int now = round;
        series.sendRound(
            producer,
            tMs,
            spreadMs,
            sent ->
                progress.show("sending round %d of %d".formatted(now + 1, rounds), sent, count));
        points += count;
      }
    }
    double expected = before + points;
    for (double stored = 0; stored < expected; stored = stage.probe().metric(Progress.STORED)) {
      progress.show("consuming", (long) (stored - before), points);
      long dropped = stage.probe().droppedPoints();
      if (dropped > 0) {
        throw new BenchException(
            "the topology did not store %,d of %,d points: %s (--heap)"
                .formatted(dropped, points, stage.log()));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    awaitCommit(stage.probe());
    progress.done();
  }

  /** Everything stored by now is committed after two more commits. */
  private static void awaitCommit(TopologyProbe probe) throws IOException, InterruptedException {
    double commits = probe.sum(COMMITS);
    while (probe.sum(COMMITS) < commits + 2) {
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}
