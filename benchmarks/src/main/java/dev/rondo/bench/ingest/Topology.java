package dev.rondo.bench.ingest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** How many points the topology has taken in. */
final class Topology {
  private static final String DECODED = "rondo_decode_points_total ";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final URI metrics;

  Topology(String url) {
    this.metrics = URI.create(url + "/metrics");
  }

  long points() throws IOException, InterruptedException {
    return HTTP.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(DECODED))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(DECODED.length())))
        .sum();
  }
}
