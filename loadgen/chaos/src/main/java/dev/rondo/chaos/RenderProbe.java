package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.chaos.fault.RondoUnderTest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Asks {@code /render} of a running query API while a scenario runs, in turn for a pattern, for
 * tags and for some of the names that were shown before, and keeps what it shows.
 */
final class RenderProbe implements AutoCloseable {
  private static final List<String> MANY =
      List.of(
          "load.*.m0000*.metric0[0-3]",
          "seriesByTag('name=~load[.].*metric0[0-3]$','host=~m0000')");

  private static final int NAMES = 40;
  private static final String RANGE = "from=-15min&until=now&format=json";
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final long LOOK_MS = 100;

  private final String url;
  private final Random random;
  private final Shown shown = new Shown();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(BOUND).build();
  private final ObjectMapper json = new ObjectMapper();
  private Watch watch;

  private RenderProbe(String url, Random random) {
    this.url = url;
    this.random = random;
  }

  static RenderProbe start(RondoUnderTest rondo, Random random) {
    var probe = new RenderProbe(rondo.local().address("api"), random);
    probe.watch = Watch.start("render", probe::look, LOOK_MS, () -> {});
    return probe;
  }

  private void look() throws InterruptedException {
    for (String many : MANY) {
      ask(List.of(many));
      ask(names());
    }
  }

  /** Some of the names that were shown so far. */
  private List<String> names() {
    List<String> names = new ArrayList<>(shown.names());
    Collections.shuffle(names, random);
    return names.subList(0, Math.min(NAMES, names.size()));
  }

  private void ask(List<String> targets) throws InterruptedException {
    if (targets.isEmpty()) {
      return;
    }
    String query =
        targets.stream()
            .map(target -> "target=" + URLEncoder.encode(target, StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    var request =
        HttpRequest.newBuilder(URI.create("%s/render?%s&%s".formatted(url, query, RANGE)))
            .timeout(BOUND)
            .build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        shown.failed(response.body());
        return;
      }
      for (JsonNode series : json.readTree(response.body())) {
        shown.add(series.path("target").asText(), series.path("datapoints"));
      }
      shown.answered();
    } catch (IOException e) {
      shown.failed(e.toString());
    }
  }

  /** Ends, and returns what was shown. */
  Shown end() throws InterruptedException {
    watch.end();
    return shown;
  }

  @Override
  public void close() {
    watch.close();
  }
}
