package dev.rondo.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prometheus metrics of a part of Rondo. {@code up} is 1 if the part has answered; otherwise it is
 * 0, and the only value. The first reading has no rates.
 */
final class PartMetrics implements Metrics {
  private static final Logger LOG = LoggerFactory.getLogger(PartMetrics.class);
  private static final int TIMEOUT_MS = 2000;

  private final PartAddress address;
  private final String parent;
  private final Path tokenFile;
  private final int maxSeries;
  private PartReading previous;
  private String failure = "";
  private boolean isOverLimit;

  /**
   * @param instance node that distinguishes it from other instances of the part
   * @param tokenFile bearer token for the part; null = none
   * @param maxSeries maximum number of published series
   */
  PartMetrics(PartAddress address, String instance, Path tokenFile, int maxSeries) {
    this.address = address;
    this.parent = "rondo." + address.part() + "." + instance;
    this.tokenFile = tokenFile;
    this.maxSeries = maxSeries;
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
      values.putAll(previous == null ? reading.gauges() : reading.valuesSince(previous));
      previous = reading;
      log("");
      return bounded(values);
    } catch (IOException | IllegalArgumentException e) {
      log(e.toString());
      return Map.of("up", 0.0);
    }
  }

  /** Uses the JDK's older client, which needs half the memory, because it prepares no TLS. */
  private String get() throws IOException {
    var connection = (HttpURLConnection) address.url().toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    if (tokenFile != null) {
      String token = Files.readString(tokenFile).strip();
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      throw new IOException("status " + status);
    }
    try (InputStream body = connection.getInputStream()) {
      return new String(body.readAllBytes(), UTF_8);
    }
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

  /** Logs when the part stops answering or answers again, once each. */
  private void log(String current) {
    if (!current.equals(failure)) {
      if (current.isEmpty()) {
        LOG.info("{} answers at {}", parent, address.url());
      } else {
        LOG.warn("{} does not answer at {}: {}", parent, address.url(), current);
      }
      failure = current;
    }
  }
}
