package dev.rondo.loadgen.send;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.Progress;
import java.nio.file.Path;

/**
 * Result of a run.
 *
 * @param points sent
 * @param records sent
 * @param bytes size of their values before compression
 * @param seconds from the first turn to the last acknowledgement
 * @param cpuSeconds CPU time of this process during the run
 * @param p50Ms median time from send to acknowledgement
 * @param firstFailure the first failure; empty if there was none
 */
public record Summary(
    Plan plan,
    Path file,
    Progress progress,
    long points,
    long records,
    long bytes,
    double seconds,
    double cpuSeconds,
    long worstLagMs,
    double p50Ms,
    double p99Ms,
    String firstFailure) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Whether every point sent was acknowledged. */
  public boolean isGood() {
    return progress.failed() == 0 && firstFailure.isEmpty();
  }

  /** For people. */
  public String toText() {
    String text =
        """
        run %s: %s, %d points in %d records, %.1f MB, %.1f s: %.0f points/s
        acknowledged %d, failed %d; worst lag %d ms; latency p50 %.1f ms, p99 %.1f ms; CPU %.1f s
        plan: %s"""
            .formatted(
                plan.run(),
                progress.isFinished() ? "finished" : "ended early",
                points,
                records,
                bytes / 1e6,
                seconds,
                points / seconds,
                progress.acked(),
                progress.failed(),
                worstLagMs,
                p50Ms,
                p99Ms,
                cpuSeconds,
                file);
    return firstFailure.isEmpty() ? text : text + "\nfirst failure: " + firstFailure;
  }

  /** For programs. */
  public String toJson() {
    return JSON.createObjectNode()
        .put("run", plan.run())
        .put("plan", file.toString())
        .put("finished", progress.isFinished())
        .put("points", points)
        .put("acked", progress.acked())
        .put("failed", progress.failed())
        .put("garbage", progress.garbage())
        .put("records", records)
        .put("bytes", bytes)
        .put("seconds", seconds)
        .put("rate", points / seconds)
        .put("cpu_seconds", cpuSeconds)
        .put("worst_lag_ms", worstLagMs)
        .put("latency_p50_ms", p50Ms)
        .put("latency_p99_ms", p99Ms)
        .put("failure", firstFailure)
        .toPrettyString();
  }
}
