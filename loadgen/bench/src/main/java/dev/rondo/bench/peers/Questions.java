package dev.rondo.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.BenchException;
import dev.rondo.bench.Progress;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The questions about the history, as requests to {@code /render} of a Graphite API.
 *
 * @param fromSeconds epoch seconds
 * @param untilSeconds epoch seconds
 */
record Questions(long fromSeconds, long untilSeconds) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = 1_000_000_000;
  private static final long READABLE_BOUND_MS = 120_000;

  /** Runs of each question that are not counted. */
  private static final int WARM_UP_RUNS = 5;

  /**
   * Share of the slots that must be known before the questions are asked. In VictoriaMetrics a slot
   * without a point has no value, such as one whose point is a little late.
   */
  private static final double READABLE = 0.9;

  /**
   * A question.
   *
   * @param series in its answer
   */
  record Question(String name, String target, int series) {}

  private static final String MACHINE = "load." + History.RUN + ".m00000.";
  private static final String FIFTY = MACHINE + "metric[0-4]*";

  static final List<Question> ALL =
      List.of(
          new Question("one series", MACHINE + "metric07", 1),
          new Question(
              "sum of 24 series",
              "sumSeries(%s{%s})".formatted(MACHINE, String.join(",", History.metrics(0, 24))),
              1),
          new Question("sum of 50 series", "sumSeries(" + FIFTY + ")", 1),
          new Question("movingAverage of 50 series", "movingAverage(" + FIFTY + ",10)", 50),
          new Question("500 series", "load." + History.RUN + ".*.*", History.SERIES));

  /**
   * Asks each question {@code runs} times, one after the other.
   *
   * @return p50 by question, ms until the client has the whole answer
   */
  Map<String, Double> ask(String store, URI api, int runs, Progress progress)
      throws IOException, InterruptedException {
    awaitReadable(store, api, progress);
    var medians = new LinkedHashMap<String, Double>();
    for (Question question : ALL) {
      check(store, question, JSON.readTree(get(store, api, question)));
      var micros = new Histogram(3);
      for (int run = -WARM_UP_RUNS; run < runs; run++) {
        progress.show(question.name(), Math.max(0, run), runs);
        long began = System.nanoTime();
        get(store, api, question);
        if (run >= 0) {
          micros.recordValue((System.nanoTime() - began) / 1000);
        }
      }
      medians.put(question.name(), micros.getValueAtPercentile(50) / 1000.0);
    }
    return medians;
  }

  /** Waits until the values are readable, and no more of them become so. */
  private void awaitReadable(String store, URI api, Progress progress)
      throws IOException, InterruptedException {
    Question all = ALL.get(ALL.size() - 1);
    long slots = (untilSeconds - fromSeconds) / History.STEP_SECONDS - 2 * History.EDGE_SLOTS;
    long due = (long) (READABLE * slots * History.SERIES);
    long boundMs = System.currentTimeMillis() + READABLE_BOUND_MS;
    long before = -1;
    long known = 0;
    while (known < due || known != before) {
      if (System.currentTimeMillis() > boundMs) {
        throw new BenchException(
            "%s has only %,d of the %,d values of the questions after %d s"
                .formatted(store, known, due, READABLE_BOUND_MS / 1000));
      }
      LockSupport.parkNanos(LOOK_NANOS);
      before = known;
      known = known(JSON.readTree(get(store, api, all)));
      progress.show("history", known, due);
    }
  }

  private static long known(JsonNode answer) {
    long known = 0;
    for (JsonNode series : answer) {
      for (JsonNode point : series.get("datapoints")) {
        known += point.get(0).isNull() ? 0 : 1;
      }
    }
    return known;
  }

  private static void check(String store, Question question, JsonNode answer) {
    if (answer.size() != question.series()) {
      throw new BenchException(
          "%s answers %s with %d series instead of %d"
              .formatted(store, question.target(), answer.size(), question.series()));
    }
  }

  /** Both stores are asked the same; VictoriaMetrics ignores {@code now} and {@code noCache}. */
  private byte[] get(String store, URI api, Question question)
      throws IOException, InterruptedException {
    String query =
        "/render?format=json&noCache=1&target=%s&from=%d&until=%d&now=%d"
            .formatted(
                URLEncoder.encode(question.target(), StandardCharsets.UTF_8),
                fromSeconds + History.EDGE_SLOTS * History.STEP_SECONDS,
                untilSeconds - History.EDGE_SLOTS * History.STEP_SECONDS,
                untilSeconds);
    HttpRequest request = HttpRequest.newBuilder(api.resolve(query)).timeout(BOUND).build();
    HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      String said = new String(response.body(), StandardCharsets.UTF_8);
      throw new BenchException(
          "%s answers /render of %s with status %d: %s"
              .formatted(
                  store,
                  question.target(),
                  response.statusCode(),
                  said.substring(0, Math.min(200, said.length()))));
    }
    return response.body();
  }
}
