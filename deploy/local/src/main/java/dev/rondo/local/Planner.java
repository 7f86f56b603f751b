package dev.rondo.local;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.FreePort;
import dev.rondo.local.parts.QueryApiKafka;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Passwords;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.PortChoice;
import dev.rondo.local.settings.PortHolder;
import dev.rondo.local.settings.PostgresUsers;
import dev.rondo.local.settings.TokenFile;
import dev.rondo.local.settings.TopologyProperties;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.State;
import dev.rondo.schemas.TopicNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/** Turns the options of {@code rondo up} and the ports of the last start into a plan. */
final class Planner {
  private static final int KAFKA_PORT = 9092;
  private static final int POSTGRES_PORT = 5433;
  private static final int CONNECT_PORT = 8083;
  private static final int CONNECT_METRICS_PORT = 8084;
  private static final int KAFKA_METRICS_PORT = 8085;
  private static final int API_PORT = 8888;
  private static final int TOPOLOGY_PORT = 8889;

  private Planner() {}

  /**
   * @throws UserError if a port is taken, or an external server does not answer
   */
  static Plan plan(UpOptions options, Home home, State last) {
    SameKafka.check(home, last, options.kafka);
    boolean mayMove = options.detach || options.dir != null || isAnotherSupervisorRunning();
    var ports =
        new PortChoice(last.ports, mayMove, FreePort::isFree, FreePort::choose, PortHolder::of);
    if (options.kafka == null) {
      ports.choose(Plan.KAFKA, options.kafkaPort, KAFKA_PORT);
      ports.choose(Plan.KAFKA_METRICS, options.kafkaMetricsPort, KAFKA_METRICS_PORT);
    }
    if (options.postgres == null) {
      ports.choose(Plan.POSTGRES, options.postgresPort, POSTGRES_PORT);
    }
    ports.choose(Plan.TOPOLOGY, options.topologyPort, TOPOLOGY_PORT);
    ports.choose(Plan.CONNECT, options.connectPort, CONNECT_PORT);
    ports.choose(Plan.CONNECT_METRICS, options.connectMetricsPort, CONNECT_METRICS_PORT);
    ports.choose(Plan.API, options.apiPort, API_PORT);

    KafkaSettings kafka = kafka(options, ports);
    PostgresUrl postgres = postgres(options, ports, home);
    return new Plan(
        kafka,
        options.kafka == null,
        postgres,
        options.postgres == null,
        postgresUsers(options, postgres),
        options.token ? TokenFile.ofApi(home) : null,
        ports.chosen(),
        file(options.sources, home.sources()),
        file(options.policies, home.policies()),
        TopicNames.of(topologySettings(options, home, last)),
        !options.noHostMetrics,
        !options.noOwnMetrics,
        notes(options, kafka, ports.notes()));
  }

  /** Whether a supervisor of another data folder runs on this machine. */
  private static boolean isAnotherSupervisorRunning() {
    long thisPid = ProcessHandle.current().pid();
    String command = Main.class.getName() + " up";
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != thisPid)
        .anyMatch(process -> process.info().commandLine().orElse("").contains(command));
  }

  private static KafkaSettings kafka(UpOptions options, PortChoice ports) {
    if (options.kafka == null) {
      if (options.kafkaConfig != null) {
        throw new UserError(
            "--kafka-config=%s needs --kafka=HOST:PORT: without it, Rondo starts its own broker"
                .formatted(options.kafkaConfig));
      }
      return KafkaSettings.plaintext("127.0.0.1:" + ports.chosen().get(Plan.KAFKA));
    }
    try {
      KafkaSettings kafka = KafkaSettings.read(options.kafka, options.kafkaConfig);
      Preflight.kafkaAnswers(kafka);
      return kafka;
    } catch (ConfigException e) {
      throw new UserError(e.getMessage());
    }
  }

  private static List<String> notes(UpOptions options, KafkaSettings kafka, List<String> ofPorts) {
    var notes = new ArrayList<>(ofPorts);
    var ignored =
        System.getenv().entrySet().stream()
            .filter(each -> KafkaSettings.isOfClients(each.getKey(), each.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (options.kafka == null && !ignored.isEmpty()) {
      notes.add(
          "ignored %s: Rondo starts its own broker; --kafka=HOST:PORT uses yours"
              .formatted(String.join(", ", ignored)));
    }
    if (!QueryApiKafka.canConnect(kafka)) {
      notes.add(
          "the query API cannot delete series or show dead letters, because it does not support the"
              + " sasl.mechanism of your Kafka: use ./rondo series delete and ./rondo dead-letters");
    }
    return List.copyOf(notes);
  }

  private static PostgresUrl postgres(UpOptions options, PortChoice ports, Home home) {
    if (options.postgres == null) {
      return Passwords.ofStarted("rondo", ports.chosen().get(Plan.POSTGRES), home, Plan.USERS);
    }
    var url = Passwords.ofExternal(PostgresUrl.parse(options.postgres), home);
    Preflight.postgresAnswers(url);
    return url;
  }

  private static PostgresUsers postgresUsers(UpOptions options, PostgresUrl postgres) {
    if (options.postgres == null) {
      return PostgresUsers.OF_STARTED;
    }
    return PostgresUsers.of(
        postgres.user(),
        options.postgresSinkUser,
        options.postgresApiUser,
        options.postgresFillUser);
  }

  /**
   * Reads the user's settings of the topology from their file, and adds the prefix of this Rondo,
   * which never changes.
   *
   * @throws UserError if the file or a name in it is invalid
   */
  static Map<String, String> topologySettings(UpOptions options, Home home, State last) {
    Path file = file(options.topology, home.topologySettings());
    Map<String, String> settings = TopologyProperties.read(file);
    if (options.prefix != null) {
      settings.put(TopicNames.PREFIX_KEY, options.prefix);
    } else if (last.prefix != null) {
      settings.putIfAbsent(TopicNames.PREFIX_KEY, last.prefix);
    }
    try {
      String prefix = TopicNames.of(settings).prefix();
      if (last.prefix != null && !last.prefix.equals(prefix)) {
        throw new UserError(
            ("%s holds the Rondo with the prefix '%s'; start '%s' in another folder (--dir,"
                    + " --prefix)")
                .formatted(home.dir(), last.prefix, prefix));
      }
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage() + " (--prefix, --topology)");
    }
    return settings;
  }

  /**
   * Returns the given file, or the default file in the data folder; null if that does not exist.
   */
  private static Path file(Path given, Path byDefault) {
    if (given != null) {
      return given.toAbsolutePath();
    }
    return Files.exists(byDefault) ? byDefault : null;
  }
}
