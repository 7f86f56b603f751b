package dev.rondo.embedded;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A distributed Kafka Connect worker, alone in its group, with its REST API on 127.0.0.1. */
public final class ConnectWorker extends Server {
  /** Default heap of the worker. */
  public static final String DEFAULT_HEAP = "512m";

  /** Main class of a distributed worker. */
  public static final String MAIN = "org.apache.kafka.connect.cli.ConnectDistributed";

  private static final Duration START_BOUND = Duration.ofMinutes(2);
  private static final Duration REQUEST_BOUND = Duration.ofSeconds(5);

  private ConnectWorker(ChildProcess child, int port) {
    super(child, port);
  }

  /**
   * Starts a worker that logs to {@code connect.log}, and waits until its REST API knows the
   * connectors. Its state is in the topics {@code rondo-connect-*}; {@code dir} holds only its
   * settings.
   *
   * @param port of the REST API; 0: a free one
   * @param plugins {@code plugin.path}: a folder with one folder of jars per plugin
   * @throws StartFailedException if it does not start
   */
  public static ConnectWorker start(Path dir, int port, String bootstrap, Path plugins) {
    return start(
        dir,
        port,
        Map.of("bootstrap.servers", bootstrap, "plugin.path", plugins.toAbsolutePath().toString()),
        Launch.to(dir.resolve("connect.log")),
        JavaCommand.withOptions(DEFAULT_HEAP, List.of(), MAIN));
  }

  /**
   * Starts a worker of any version of Connect, with any settings.
   *
   * @param settings added to the usual ones, or replacing them: at least {@code bootstrap.servers}
   *     and {@code plugin.path}; {@code group.id} also names the topics of its state
   * @param java command that runs {@link #MAIN}; the name of the settings file is appended
   */
  public static ConnectWorker start(
      Path dir, int port, Map<String, String> settings, Launch launch, List<String> java) {
    Path folder = dir.toAbsolutePath();
    int chosen = FreePort.orChosen("connect", port);
    var command = new ArrayList<>(java);
    command.add(writeProperties(folder, chosen, settings).toString());
    var child = ChildProcess.start("connect", command, Map.of(), folder, launch);
    var worker = new ConnectWorker(child, chosen);
    child.awaitReady(START_BOUND, worker::answers);
    return worker;
  }

  /** URL of the REST API, without a trailing slash. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  private static Path writeProperties(Path folder, int port, Map<String, String> special) {
    String group = special.getOrDefault("group.id", "rondo-connect");
    var settings = new HashMap<String, String>();
    settings.put("group.id", group);
    settings.put("listeners", "http://127.0.0.1:" + port);
    settings.put("rest.advertised.host.name", "127.0.0.1");
    settings.put("plugin.discovery", "service_load"); // reads manifests; scanning jars takes 10 s
    settings.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
    settings.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
    settings.put("connector.client.config.override.policy", "All");
    settings.put("offset.flush.interval.ms", "5000");
    settings.put(
        "scheduled.rebalance.max.delay.ms", "0"); // no other worker could take over the tasks
    // Without records, each consumer polls twice in five seconds.
    settings.put("fetch.max.wait.ms", "2500");
    settings.put("consumer.fetch.max.wait.ms", "2500");
    // Killed tasks block their partitions for this long.
    settings.put("consumer.session.timeout.ms", "10000");
    for (String state : new String[] {"offset", "config", "status"}) {
      settings.put(state + ".storage.topic", group + "-" + state);
      settings.put(state + ".storage.replication.factor", "-1"); // the broker's default
    }
    settings.put("offset.storage.partitions", "4");
    settings.put("status.storage.partitions", "2");
    settings.putAll(special);
    return PropertiesFile.write(folder.resolve("connect.properties"), settings);
  }

  /**
   * Whether the worker knows its connectors. The list of connectors is available before the worker
   * has created or read its topics; a single connector only afterwards. The 404 must be Connect's
   * ({@code error_code}): its server first answers 404 to everything.
   */
  private boolean answers() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url() + "/connectors/rondo-not-a-connector"))
            .timeout(REQUEST_BOUND)
            .build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    return response.statusCode() == 404 && response.body().contains("error_code");
  }
}
