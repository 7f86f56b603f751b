package dev.rondo.history.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.formats.DropReason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Points that the workers of a job did not store and that are no dead letters, such as late ones,
 * by what each worker tells of itself. One that was killed has read its last points again, and
 * counts them twice.
 */
final class WorkerDrops {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Map<Integer, Integer> ports = new HashMap<>();
  private final Map<Integer, Map<DropReason, Long>> latest = new HashMap<>();

  /** Of workers that have ended. */
  private final Map<DropReason, Long> former = new EnumMap<>(DropReason.class);

  /** A worker was started, maybe again; it tells its drops at this port. */
  void started(int worker, int port) {
    Map<DropReason, Long> ended = latest.remove(worker);
    if (ended != null) {
      ended.forEach((reason, points) -> former.merge(reason, points, Long::sum));
    }
    ports.put(worker, port);
  }

  /** Asks all workers; of one that does not answer, what it told last counts. */
  void look() throws InterruptedException {
    for (var each : ports.entrySet()) {
      try {
        latest.put(each.getKey(), drops(each.getValue()));
      } catch (IOException e) {
        // it has not started yet, or has ended
      }
    }
  }

  private Map<DropReason, Long> drops(int port) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:%d/drops".formatted(port));
    var request = HttpRequest.newBuilder(uri).timeout(PATIENCE).build();
    var answer = JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
    Map<DropReason, Long> drops = new EnumMap<>(DropReason.class);
    Arrays.stream(DropReason.values())
        .filter(reason -> !reason.isDeadLetter())
        .forEach(reason -> drops.put(reason, answer.path(reason.key()).path("total").asLong()));
    return drops;
  }

  /** How many points, by reason; empty = none. */
  String note() {
    SortedMap<String, Long> all = new TreeMap<>();
    former.forEach((reason, points) -> all.merge(reason.key(), points, Long::sum));
    latest
        .values()
        .forEach(of -> of.forEach((reason, points) -> all.merge(reason.key(), points, Long::sum)));
    all.values().removeIf(points -> points == 0);
    return JobText.points("dropped", all);
  }
}
