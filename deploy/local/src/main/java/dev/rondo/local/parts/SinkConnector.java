package dev.rondo.local.parts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.kafka.Replication;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.schemas.TopicNames;
import dev.rondo.schemas.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client of Connect's REST API for the sink connector. */
final class SinkConnector {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration REQUEST_BOUND = Duration.ofSeconds(20);
  private static final String CAUSE = "Caused by: ";
  private static final String ERROR_OF_SINK = "org.apache.kafka.connect.errors.ConnectException: ";
  private static final String REFUSAL = "AuthorizationException: ";
  private static final String DEAD_LETTER_REPLICAS =
      "errors.deadletterqueue.topic.replication.factor";
  private static final short BROKER_DEFAULT = -1;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(REQUEST_BOUND).build();
  private final String url;
  private final Map<String, String> config;
  private final Supplier<Replication> replication;
  private final String token;

  /**
   * @param connectUrl of the worker, without a trailing slash
   * @param token required by the worker
   * @param names of this Rondo's topics and connector
   * @param kafka settings of the worker's clients
   * @param replication of topics in that cluster
   */
  SinkConnector(
      String connectUrl,
      String token,
      TopicNames names,
      KafkaSettings kafka,
      PostgresUrl postgres,
      Supplier<Replication> replication) {
    this.url = connectUrl + "/connectors/" + names.connector();
    this.token = token;
    this.replication = replication;
    this.config = config(names, kafka, postgres);
  }

  /**
   * Status of the connector and its tasks.
   *
   * @param paused whether it was paused or stopped by Connect's REST API
   * @param trace first line of the failure; empty unless it has failed
   */
  record Status(boolean exists, boolean runs, boolean failed, boolean paused, String trace) {}

  /** Reports that Connect rejected the config, possibly because of an error of PostgreSQL. */
  static final class RejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    RejectedException(String message) {
      super(message);
    }
  }

  /**
   * Creates the connector, or updates its config.
   *
   * @throws RejectedException if a retry would fail in the same way
   */
  void put() throws IOException, InterruptedException {
    Map<String, String> whole = new TreeMap<>(config);
    whole.put(DEAD_LETTER_REPLICAS, replication.get().factor().orElse(BROKER_DEFAULT).toString());
    var answer =
        send(
            request("/config")
                .PUT(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(whole))));
    if (answer.statusCode() == BAD_REQUEST) {
      throw new RejectedException(message(answer.body()));
    }
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(
          "Connect answers with status %d: %s"
              .formatted(answer.statusCode(), message(answer.body())));
    }
  }

  Status status() throws IOException, InterruptedException {
    var answer = send(request("/status").GET());
    if (answer.statusCode() == NOT_FOUND) {
      return new Status(false, false, false, false, "");
    }
    return status(JSON.readTree(answer.body()));
  }

  void restartFailed() throws IOException, InterruptedException {
    send(
        request("/restart?includeTasks=true&onlyFailed=true")
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** Parses Connect's response to /status. */
  static Status status(JsonNode answer) {
    var connector = answer.path("connector");
    var tasks = answer.path("tasks");
    boolean runs = isIn(connector, "RUNNING") && !tasks.isEmpty();
    boolean failed = isIn(connector, "FAILED");
    String trace = connector.path("trace").asText("");
    for (JsonNode task : tasks) {
      runs &= isIn(task, "RUNNING");
      if (isIn(task, "FAILED")) {
        failed = true;
        trace = task.path("trace").asText("");
      }
    }
    boolean paused = isIn(connector, "PAUSED") || isIn(connector, "STOPPED");
    return new Status(true, runs, failed, paused, lastCause(trace));
  }

  private static boolean isIn(JsonNode node, String state) {
    return state.equals(node.path("state").asText());
  }

  /**
   * Returns the sink's own error message, with its advice; otherwise the innermost cause, because
   * the first line of a trace is Connect's wrapper.
   */
  private static String lastCause(String trace) {
    String cause = lastLine(trace);
    return cause.startsWith("org.apache.kafka.common.errors.") && cause.contains(REFUSAL)
        ? cause + "; to see what is missing: ./rondo check access --part=connect"
        : cause;
  }

  private static String lastLine(String trace) {
    List<String> causes =
        trace
            .lines()
            .filter(line -> line.startsWith(CAUSE))
            .map(line -> line.substring(CAUSE.length()))
            .toList();
    return Stream.concat(
            causes.stream().filter(cause -> cause.startsWith(ERROR_OF_SINK)),
            causes.isEmpty() ? trace.lines().limit(1) : causes.stream().skip(causes.size() - 1))
        .findFirst()
        .orElse("");
  }

  private static Map<String, String> config(
      TopicNames names, KafkaSettings kafka, PostgresUrl postgres) {
    Map<String, String> config = new HashMap<>(ConnectSettings.references("kafka.", kafka));
    config.putAll(
        Map.ofEntries(
            Map.entry("connector.class", "dev.rondo.connect.postgres.PostgresSinkConnector"),
            Map.entry("tasks.max", "2"),
            Map.entry(
                "topics",
                Stream.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.EVENTS)
                    .map(topic -> names.of(topic).name())
                    .collect(Collectors.joining(","))),
            Map.entry("key.converter", "dev.rondo.connect.postgres.RondoConverter"),
            Map.entry("value.converter", "dev.rondo.connect.postgres.RondoConverter"),
            Map.entry("connection.url", postgres.jdbcUrl()),
            Map.entry("connection.user", postgres.user()),
            Map.entry("kafka.bootstrap.servers", kafka.bootstrap()),
            Map.entry("consumer.override.isolation.level", "read_committed"),
            Map.entry("consumer.override.max.poll.records", "2000"),
            Map.entry("consumer.override.request.timeout.ms", "15000"),
            Map.entry("errors.tolerance", "all"),
            Map.entry("errors.deadletterqueue.topic.name", names.of(Topics.DEAD_LETTERS).name()),
            Map.entry("errors.deadletterqueue.context.headers.enable", "true")));
    return config;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .timeout(REQUEST_BOUND)
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json");
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String message(String body) throws IOException {
    return JSON.readTree(body).path("message").asText(body);
  }
}
