package dev.rondo.connect.postgres.metrics;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What Prometheus would read at one moment. */
record Scrape(List<Sample> samples) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");

  /**
   * @param labels {@code a="1",b="2",}, as they were read
   */
  record Sample(String name, String labels, double value) {
    boolean has(String... wanted) {
      return List.of(wanted).stream().allMatch(labels::contains);
    }
  }

  static Scrape of(String url) {
    try {
      String body =
          HTTP.send(
                  HttpRequest.newBuilder(URI.create(url)).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      return new Scrape(
          body.lines().filter(line -> !line.startsWith("#")).map(Scrape::sample).toList());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(url, e);
    }
  }

  Set<String> names() {
    return samples.stream().map(Sample::name).collect(Collectors.toSet());
  }

  /** Samples of a metric that have all these labels, each {@code name="value"}. */
  List<Sample> all(String name, String... labels) {
    return samples.stream().filter(s -> s.name().equals(name) && s.has(labels)).toList();
  }

  /** Their sum; 0 where there is none. */
  double sum(String name, String... labels) {
    return all(name, labels).stream().mapToDouble(Sample::value).sum();
  }

  /** The least of them; NaN where there is none. */
  double min(String name, String... labels) {
    return all(name, labels).stream().mapToDouble(Sample::value).min().orElse(Double.NaN);
  }

  /** The largest of them; NaN where there is none. */
  double max(String name, String... labels) {
    return all(name, labels).stream().mapToDouble(Sample::value).max().orElse(Double.NaN);
  }

  private static Sample sample(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("not a sample: " + line);
    }
    String value = matcher.group(3).replace("Inf", "Infinity");
    return new Sample(
        matcher.group(1),
        matcher.group(2) == null ? "" : matcher.group(2),
        Double.parseDouble(value));
  }
}
