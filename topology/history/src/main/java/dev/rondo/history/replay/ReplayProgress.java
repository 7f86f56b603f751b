package dev.rondo.history.replay;

import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.replay.ReplayPlan.Rewind;
import dev.rondo.tools.command.CommandProgress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import org.apache.kafka.common.TopicPartition;

/**
 * Follows a replay until every source partition has been read up to its end at planning time. Shows
 * a progress bar on a terminal, otherwise a line every ten seconds.
 */
final class ReplayProgress {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);

  private final GroupOffsets group;
  private final ReplayPlan plan;
  private final boolean isInteractive;
  private final Consumer<String> out;

  ReplayProgress(GroupOffsets group, ReplayPlan plan, boolean isInteractive, Consumer<String> out) {
    this.group = group;
    this.plan = plan;
    this.isInteractive = isInteractive;
    this.out = out;
  }

  /** Returns when everything is read; waits without limit for the topology to start. */
  void follow() throws ExecutionException, InterruptedException {
    if (group.members().isEmpty()) {
      out.accept("waiting for the topology to be started ...");
      while (group.members().isEmpty()) {
        Thread.sleep(POLL.toMillis());
      }
    }
    long startNanos = System.nanoTime();
    if (isInteractive) {
      try (ProgressBar bar = CommandProgress.bar("replay", "records", plan.records())) {
        await(bar::stepTo);
      }
    } else {
      await(new Lines(startNanos));
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    out.accept(
        "Read again: %d records in %.1f s, %.0f records/s"
            .formatted(plan.records(), seconds, plan.records() / seconds));
  }

  private void await(LongConsumer progress) throws ExecutionException, InterruptedException {
    while (true) {
      long read = read(group.committed());
      progress.accept(read);
      if (read >= plan.records()) {
        return;
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Number of records of the plan that have been read. */
  private long read(Map<TopicPartition, Long> committed) {
    long read = 0;
    for (Rewind rewind : plan.rewinds()) {
      long now = committed.getOrDefault(rewind.partition(), rewind.after());
      read += Math.min(rewind.source().end(), Math.max(now, rewind.after())) - rewind.after();
    }
    return read;
  }

  /** Prints a line every ten seconds. */
  private final class Lines implements LongConsumer {
    private final long startNanos;
    private long lastLineNanos;

    Lines(long startNanos) {
      this.startNanos = startNanos;
      this.lastLineNanos = startNanos;
    }

    @Override
    public void accept(long records) {
      long now = System.nanoTime();
      if (now - lastLineNanos > LINE_INTERVAL.toNanos()) {
        lastLineNanos = now;
        out.accept(
            "  %d of %d records, %.0f records/s"
                .formatted(records, plan.records(), records / ((now - startNanos) / 1e9)));
      }
    }
  }
}
