package dev.rondo.connect.postgres.harness;

import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A real broker and a real Connect worker with the plugin as it is packaged. */
final class ConnectRig {
  private static final Path PLUGINS = Path.of("target", "plugin").toAbsolutePath();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static ConnectRig shared;

  private final Path dir;
  private final KafkaBroker broker;
  private final ConnectWorker worker;

  private ConnectRig() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    this.dir = Files.createTempDirectory(parent, "connect-");
    this.broker = KafkaBroker.start(dir.resolve("kafka"), 0);
    this.worker = startWithKafkaOnly();
  }

  /** The shared rig of this JVM; it ends with the JVM. */
  static synchronized ConnectRig shared() throws IOException {
    if (shared == null) {
      shared = new ConnectRig();
    }
    return shared;
  }

  String bootstrap() {
    return broker.bootstrap();
  }

  /** What the worker has logged so far. */
  String log() throws IOException {
    return Files.readString(dir.resolve("connect/connect.log"));
  }

  void createTopics(NewTopic... topics) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
      NewTopics.create(admin, List.of(topics));
    }
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(request(path).GET());
  }

  HttpResponse<String> put(String path, String json) throws Exception {
    return send(request(path).PUT(HttpRequest.BodyPublishers.ofString(json)));
  }

  HttpResponse<String> post(String path, String json) throws Exception {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  HttpResponse<String> delete(String path) throws Exception {
    return send(request(path).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(worker.url() + path))
        .header("Content-Type", "application/json");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /**
   * Removes Rondo's jars from the worker's class path: everything that the sink needs besides
   * Kafka's jars must be in the plugin directory.
   */
  private ConnectWorker startWithKafkaOnly() {
    String whole = System.getProperty("java.class.path");
    System.setProperty(
        "java.class.path",
        Arrays.stream(whole.split(File.pathSeparator))
            .filter(
                entry ->
                    !entry.matches(
                        ".*(postgres-sink|rondo-schemas|schemas/target|/avro|postgresql).*"))
            .collect(Collectors.joining(File.pathSeparator)));
    try {
      return ConnectWorker.start(dir.resolve("connect"), 0, bootstrap(), PLUGINS);
    } finally {
      System.setProperty("java.class.path", whole);
    }
  }
}
