package dev.rondo.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.HdrHistogram.Histogram;

/**
 * Measures how long after it was sent a point is readable in VictoriaMetrics: sends a point of one
 * series every second beside the load, and polls that series.
 */
final class Probe implements AutoCloseable {
  private static final String SERIES = "rondo.probe";
  private static final long EVERY_MS = 1_000;
  private static final String EXPORT =
      "/api/v1/export?match%5B%5D="
          + URLEncoder.encode("{__name__=\"" + SERIES + "\"}", StandardCharsets.UTF_8)
          + "&start=";

  private final VictoriaMetrics store;
  private final Socket socket;
  private final ObjectMapper json = new ObjectMapper();
  private final Histogram histogram = new Histogram(3);
  private final Deque<Sent> open = new ArrayDeque<>();
  private final long beganMs = System.currentTimeMillis();
  private long number;
  private long nextMs;

  private record Sent(long number, long ms) {}

  Probe(VictoriaMetrics store) throws IOException {
    this.store = store;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), store.graphitePort());
  }

  /** Sends the next point if it is time, and polls once. */
  void look() throws IOException, InterruptedException {
    if (System.currentTimeMillis() >= nextMs) {
      nextMs = System.currentTimeMillis() + EVERY_MS;
      String line = "%s %d %d%n".formatted(SERIES, ++number, System.currentTimeMillis() / 1000);
      socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
      open.add(new Sent(number, System.currentTimeMillis()));
    }
    double newest = newest();
    while (!open.isEmpty() && open.peek().number() <= newest) {
      histogram.recordValue(System.currentTimeMillis() - open.remove().ms());
    }
  }

  /** The largest readable value; 0 while there is none. */
  private double newest() throws IOException, InterruptedException {
    double newest = 0;
    for (String line : store.get(EXPORT + beganMs / 1000).lines().toList()) {
      for (JsonNode value : json.readTree(line).get("values")) {
        newest = Math.max(newest, value.asDouble());
      }
    }
    return newest;
  }

  boolean isComplete() {
    return open.isEmpty();
  }

  /** A percentile, ms; NaN without samples. */
  double quantile(double share) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(100 * share);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
