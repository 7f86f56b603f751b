package dev.rondo.bench.peers;

import dev.rondo.bench.ingest.Workload;
import dev.rondo.harness.Load;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Six hours of 500 series, five machines of 100, with a point every 10 s: what the questions read.
 * It is sent at full speed, after the measured load.
 */
final class History {
  static final String RUN = "asked";
  static final int SERIES = 500;
  private static final int BATCH = 50;
  static final int SECONDS = 6 * 3600;
  static final int STEP_SECONDS = 10;

  /** The last point must be of the past, its delay included. */
  private static final int MARGIN_SECONDS = 60;

  /** Slots at both ends that may have no value: those of the first and the last point. */
  static final int EDGE_SLOTS = 2;

  private History() {}

  /** Sends the load of a run, as {@code Rondo.load}. */
  interface Sender {
    Load load(String run, String plan, Workload workload, String... more)
        throws IOException, InterruptedException;
  }

  /**
   * Sends it.
   *
   * @return its questions
   */
  static Questions send(Workload workload, Sender sender) throws IOException, InterruptedException {
    Load load =
        sender.load(
            RUN,
            "history",
            new Workload(
                RUN, workload.format(), workload.isKeyed(), "machine", BATCH, SERIES, STEP_SECONDS),
            "--rate=" + SERIES / STEP_SECONDS,
            "--seconds=" + SECONDS,
            "--start=-" + (SECONDS + MARGIN_SECONDS) + "s",
            "--flat-out");
    load.await();
    long endSeconds = load.startMs() / 1000 / STEP_SECONDS * STEP_SECONDS + SECONDS;
    return new Questions(endSeconds - SECONDS, endSeconds);
  }

  /** The names, such as {@code metric07}. */
  static List<String> metrics(int from, int to) {
    return IntStream.range(from, to).mapToObj("metric%02d"::formatted).toList();
  }
}
