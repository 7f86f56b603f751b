package dev.rondo.chaos.part;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counters of an instance of the topology since its start.
 *
 * @param evicted points that left the merge buffer early because it was full
 * @param buffered points in the merge buffer now
 * @param dropped points that are not stored, by reason
 */
public record Metrics(long evicted, long buffered, Map<String, Long> dropped) {
  private static final Duration BOUND = Duration.ofSeconds(5);

  /** Metrics are read once, also while the instance catches up on a busy machine. */
  private static final Duration METRICS_BOUND = Duration.ofMinutes(1);

  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(BOUND).build();

  private static final String EVICTED = "rondo_merge_evicted_points_total";
  private static final String BUFFERED = "rondo_merge_buffered_points";
  private static final Pattern DROPPED =
      Pattern.compile("(?m)^rondo_drops_points_total\\{reason=\"([^\"]+)\"} (\\S+)$");

  private static final Pattern LOST =
      Pattern.compile("(?m)^rondo_sources_lost_records_total\\{([^}]*)} (\\S+)$");

  private static final Pattern POLICY_VERSION =
      Pattern.compile("(?m)^rondo_consolidate_policy_version\\{[^}]*} (\\S+)$");

  /**
   * Reads the metrics.
   *
   * @param url of the instance
   * @throws IllegalStateException if a metric is missing that every instance exports
   */
  public static Metrics read(String url) throws IOException, InterruptedException {
    String text = get(url + "/metrics", METRICS_BOUND).body();
    var dropped = new TreeMap<String, Long>();
    DROPPED
        .matcher(text)
        .results()
        .forEach(found -> dropped.put(found.group(1), whole(found.group(2))));
    return new Metrics(sample(EVICTED, text, url), sample(BUFFERED, text, url), dropped);
  }

  /**
   * Versions of the policies that the tasks of an instance have taken, one of each task.
   *
   * @param url of the instance
   */
  public static List<Long> policyVersions(String url) throws IOException, InterruptedException {
    return POLICY_VERSION
        .matcher(get(url + "/metrics", METRICS_BOUND).body())
        .results()
        .map(found -> whole(found.group(1)))
        .toList();
  }

  /**
   * Records of a source that Kafka deleted before an instance read them.
   *
   * @param url of the instance
   */
  public static long lostRecords(String url, String source)
      throws IOException, InterruptedException {
    return LOST.matcher(get(url + "/metrics", METRICS_BOUND).body())
        .results()
        .filter(found -> found.group(1).contains("source=\"" + source + "\""))
        .mapToLong(found -> whole(found.group(2)))
        .sum();
  }

  private static long sample(String name, String text, String url) {
    Matcher sample = Pattern.compile("(?m)^" + name + " (\\S+)$").matcher(text);
    if (!sample.find()) {
      throw new IllegalStateException("%s/metrics has no %s".formatted(url, name));
    }
    return whole(sample.group(1));
  }

  private static long whole(String number) {
    return (long) Double.parseDouble(number);
  }

  /**
   * The series whose points an instance dropped last for a reason, the newest first, as {@code GET
   * /drops} returns them.
   *
   * @param url of the instance
   */
  public static JsonNode lastDropped(String url, String reason)
      throws IOException, InterruptedException {
    String drops = get(url + "/drops?reason=" + reason, METRICS_BOUND).body();
    return new ObjectMapper().readTree(drops).path(reason).path("series");
  }

  /** Points dropped as late. */
  public long late() {
    return dropped.getOrDefault("late", 0L);
  }

  /** Slots that are not stored, as they end too long after the clock of the instance. */
  public long tooFarAhead() {
    return dropped.getOrDefault("slot-too-far-ahead", 0L);
  }

  /** Whether the instance processes points. */
  static boolean isHealthy(String url) throws IOException, InterruptedException {
    return get(url + "/health", BOUND).statusCode() == 200;
  }

  private static HttpResponse<String> get(String url, Duration bound)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(url)).timeout(bound).build(), BodyHandlers.ofString());
  }

  public String text() {
    return "evicted %d, buffered %d, late %d".formatted(evicted, buffered, late());
  }
}
