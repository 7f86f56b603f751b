package dev.rondo.tools.why.stage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.tools.why.facts.Facts.Held;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Open;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** What the topology holds of the series: its instances are asked until one has it. */
public final class TopologyStage {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int BUSY = 429;
  private static final long RETRY_MS = 200;

  private static final Pattern SET_ASIDE =
      Pattern.compile(
          "(?m)^rondo_sources_set_aside\\{reason=\"((?:[^\"\\\\]|\\\\.)*)\",source=\"((?:[^\"\\\\]|\\\\.)*)\"}");

  private TopologyStage() {}

  /**
   * Asks the instances for the series.
   *
   * @param instances URLs; empty = not asked
   */
  public static Held read(List<String> instances, String ident) throws InterruptedException {
    Held found = null;
    for (String instance : instances) {
      Held held = Attempt.of(() -> ask(instance, ident), Held::failed);
      if (held.location() != null || held.merging() > 0) {
        return held;
      }
      found = found == null || held.error() != null || held.notReady() != null ? held : found;
    }
    return found;
  }

  private static Held ask(String instance, String ident) throws IOException, InterruptedException {
    Http.Answer ready = Http.get(instance + "/health/ready", null);
    String notReady =
        ready.status() == OK ? null : ready.json().path("reason").asText(ready.text());
    Http.Answer answer = series(instance, ident);
    if (answer.status() == OK) {
      return of(instance, notReady, answer.json(), setAside(instance));
    }
    if (answer.status() != NOT_FOUND) {
      return Held.failed("%s answers with status %d".formatted(instance, answer.status()));
    }
    return new Held(
        null, instance, notReady, null, null, 0, List.of(), 0, List.of(), setAside(instance));
  }

  /** The sources that the instance does not read, and why, by its metrics. */
  private static Map<String, String> setAside(String instance)
      throws IOException, InterruptedException {
    Map<String, String> setAside = new TreeMap<>();
    SET_ASIDE
        .matcher(Http.get(instance + "/metrics", null).text())
        .results()
        .forEach(found -> setAside.put(text(found.group(2)), text(found.group(1))));
    return setAside;
  }

  /** A label value without its escapes. */
  private static String text(String escaped) {
    return escaped.replace("\\\"", "\"").replace("\\\\", "\\");
  }

  /** Asks again while the instance answers somebody else. */
  private static Http.Answer series(String instance, String ident)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + Cluster.PATIENCE.toNanos();
    while (true) {
      Http.Answer answer = Http.get(instance + "/series?ident=" + Http.encoded(ident), null);
      if (answer.status() != BUSY || System.nanoTime() > deadline) {
        return answer;
      }
      Thread.sleep(RETRY_MS);
    }
  }

  private static Held of(
      String instance, String notReady, JsonNode json, Map<String, String> setAside) {
    List<String> awaited = new ArrayList<>();
    json.path("awaited").forEach(partition -> awaited.add(partition.asText()));
    return new Held(
        null,
        instance,
        notReady,
        json.has("segment")
            ? new Location(
                json.path("policy").asText(),
                json.path("segment").asInt(),
                json.path("position").asInt(),
                json.path("starts_at_ms").asLong())
            : null,
        json.has("newest_ms") ? json.path("newest_ms").asLong() : null,
        json.path("merging").asInt(),
        awaited,
        json.path("reordering").asInt(),
        StreamSupport.stream(json.path("open").spliterator(), false)
            .map(TopologyStage::open)
            .toList(),
        setAside);
  }

  private static Open open(JsonNode slot) {
    return new Open(
        slot.path("function").asText(),
        slot.path("step_ms").asLong(),
        slot.path("end_ms").asLong(),
        slot.path("known_ms").asLong(),
        slot.path("least_known_ms").asLong(),
        slot.has("value") ? slot.path("value").asDouble() : null);
  }
}
