package dev.rondo.tools.why.stage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.tools.why.facts.Facts.Shown;
import java.io.IOException;
import java.util.regex.Pattern;

/** What {@code /render} of the query API answers for the series. */
public final class ApiStage {
  private static final int OK = 200;
  private static final long SECOND_MS = 1000;
  private static final Pattern SPECIAL = Pattern.compile("(?U)[^\\w;=-]");

  private ApiStage() {}

  /**
   * Asks the query API for a graph of the series.
   *
   * @param api URL; null = not asked
   * @param token that it asks for; null = none
   * @param fromMs begin of the graph, which ends now, epoch ms
   */
  public static Shown read(String api, String token, String ident, long fromMs)
      throws InterruptedException {
    return api == null
        ? null
        : Attempt.of(
            () -> ask(api, token, ident, fromMs),
            error -> new Shown(error, fromMs, 0, 0, null, null, null));
  }

  private static Shown ask(String api, String token, String ident, long fromMs)
      throws IOException, InterruptedException {
    String query =
        "/render?format=json&from=%d&target=%s"
            .formatted(fromMs / SECOND_MS, Http.encoded(target(ident)));
    Http.Answer answer = Http.get(api + query, token);
    if (answer.status() != OK) {
      throw new IOException(
          "%s answers with status %d: %s".formatted(api, answer.status(), answer.text()));
    }
    return of(answer.json().path(0).path("datapoints"), fromMs);
  }

  /**
   * The ident as a target, in which nothing but letters, digits and {@code ;=-} stands for more.
   */
  static String target(String ident) {
    return SPECIAL.matcher(ident).replaceAll("\\\\$0");
  }

  private static Shown of(JsonNode datapoints, long fromMs) {
    int known = 0;
    JsonNode newest = null;
    for (JsonNode point : datapoints) {
      if (!point.path(0).isNull()) {
        known++;
        newest = point;
      }
    }
    Long stepMs =
        datapoints.size() < 2
            ? null
            : (datapoints.path(1).path(1).asLong() - datapoints.path(0).path(1).asLong())
                * SECOND_MS;
    return new Shown(
        null,
        fromMs,
        known,
        datapoints.size(),
        stepMs,
        newest == null ? null : newest.path(1).asLong() * SECOND_MS,
        newest == null ? null : newest.path(0).asDouble());
  }
}
