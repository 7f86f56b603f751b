package dev.rondo.host;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of Rondo, by what it shows to Prometheus. {@code up} is 1 if it has answered, else 0 and
 * the only value. Its first answer has no rates.
 */
final class PartMetrics implements Metrics {
  private static final Logger LOG = LoggerFactory.getLogger(PartMetrics.class);

  /** Bound of a connection, and of an answer. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final int OK = 200;

  private final PartAddress address;
  private final String parent;
  private final Path tokenFile;
  private final int maxSeries;
  private final HttpClient http;
  private PartReading earlier;
  private String failure = "";
  private boolean isOverLimit;

  /**
   * @param instance node that tells it from others of its kind
   * @param tokenFile of the bearer token that it asks for; null: none
   * @param maxSeries bound of its series; those beyond it are not published
   */
  PartMetrics(
      PartAddress address, String instance, Path tokenFile, int maxSeries, HttpClient http) {
    this.address = address;
    this.parent = "rondo." + address.part() + "." + instance;
    this.tokenFile = tokenFile;
    this.maxSeries = maxSeries;
    this.http = http;
  }

  @Override
  public String parent() {
    return parent;
  }

  @Override
  public Map<String, Double> read() {
    try {
      String text = get();
      var reading =
          PartReading.of(System.nanoTime(), Exposition.parse(text, PartReading::isWanted));
      var values = new LinkedHashMap<String, Double>(Map.of("up", 1.0));
      values.putAll(earlier == null ? reading.values() : reading.valuesSince(earlier));
      earlier = reading;
      log("");
      return bounded(values);
    } catch (IOException | IllegalArgumentException e) {
      log(e.toString());
      return Map.of("up", 0.0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  private String get() throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address.url()).timeout(TIMEOUT);
    if (tokenFile != null) {
      request.header("Authorization", "Bearer " + Files.readString(tokenFile).strip());
    }
    var answer = http.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IOException("status " + answer.statusCode());
    }
    return answer.body();
  }

  private Map<String, Double> bounded(Map<String, Double> values) {
    boolean wasOverLimit = isOverLimit;
    isOverLimit = values.size() > maxSeries;
    if (!isOverLimit) {
      return values;
    }
    if (!wasOverLimit) {
      LOG.warn(
          "{} has {} series, only the first {} are published (--max-part-series)",
          parent,
          values.size(),
          maxSeries);
    }
    var first = new LinkedHashMap<String, Double>();
    values.entrySet().stream()
        .limit(maxSeries)
        .forEach(value -> first.put(value.getKey(), value.getValue()));
    return first;
  }

  /** Logs that it does not answer, or answers again; not the same twice. */
  private void log(String now) {
    if (!now.equals(failure)) {
      if (now.isEmpty()) {
        LOG.info("{} answers at {}", parent, address.url());
      } else {
        LOG.warn("{} does not answer at {}: {}", parent, address.url(), now);
      }
      failure = now;
    }
  }
}
