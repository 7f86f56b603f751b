package dev.rondo.local.parts;

import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.PropertiesFile;
import dev.rondo.embedded.RunningProcess;
import dev.rondo.local.database.Migration;
import dev.rondo.local.database.Owner;
import dev.rondo.local.database.Roles;
import dev.rondo.local.settings.Heaps;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.settings.Passwords;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.settings.TokenFile;
import dev.rondo.local.settings.TopologyProperties;
import dev.rondo.local.state.HttpProbe;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateBoard;
import dev.rondo.schemas.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;

/** The steps of a start and their dependencies. */
public final class Parts {
  static final String HOST_METRICS = "host-metrics";
  static final String FILL = "fill";
  private static final String MIGRATE = "migrate";

  private static final String TOPOLOGY_MODULE = "topology/streams";
  private static final String HOST_METRICS_MODULE = "connectors/host-collector";
  private static final String HISTORY_MODULE = "topology/history";

  /** Parts that are JVMs. */
  private static final List<String> JVMS =
      List.of(Plan.KAFKA, Plan.CONNECT, Plan.TOPOLOGY, HOST_METRICS, FILL);

  /**
   * A heap starts small instead of with a 64th of the memory, grows under load, and shrinks at a
   * full collection. The serial collector takes as much time as the parallel one, but less memory.
   */
  private static final List<String> HEAP =
      List.of("-Xms32m", "-XX:MaxHeapFreeRatio=50", "-XX:-ShrinkHeapInSteps", "-XX:+UseSerialGC");

  /** Time after which a part that is not awaited has loaded most of its classes. */
  private static final Duration FIRST_WORK = Duration.ofSeconds(20);

  private static final Duration START_BOUND = Duration.ofMinutes(2);

  private final Home home;
  private final Installation installation;
  private final Plan plan;
  private final Heaps heaps;
  private final StateBoard board;
  private final Supplier<Map<String, String>> topologySettings;
  private final Path connectToken;

  /**
   * @param topologySettings the user's settings, read at each start of the topology
   */
  public Parts(
      Home home,
      Installation installation,
      Plan plan,
      Heaps heaps,
      StateBoard board,
      Supplier<Map<String, String>> topologySettings) {
    this.home = home;
    this.installation = installation;
    this.plan = plan;
    this.heaps = heaps;
    this.board = board;
    this.topologySettings = topologySettings;
    this.connectToken = TokenFile.ofConnect(home);
  }

  public List<Planned> steps() {
    var steps = new ArrayList<Planned>();
    if (plan.startsKafka()) {
      steps.add(planned(supervise(Plan.KAFKA, plan.kafka().bootstrap(), this::kafka)));
    }
    if (plan.startsPostgres()) {
      steps.add(
          planned(supervise(Plan.POSTGRES, plan.postgres().withoutAuth().shown(), this::postgres)));
    }
    steps.add(planned(new Step.Once(MIGRATE, this::migrate), Plan.POSTGRES));
    steps.add(planned(supervise(Plan.API, plan.apiUrl(), this::api), MIGRATE));
    steps.add(planned(supervise(Plan.TOPOLOGY, plan.topologyUrl(), this::topology), Plan.KAFKA));
    steps.add(planned(supervise(Plan.CONNECT, plan.connectUrl(), this::connect), Plan.KAFKA));
    steps.add( // the topology creates its topics
        planned(sink(), MIGRATE, Plan.TOPOLOGY, Plan.CONNECT));
    steps.add(planned(supervise(FILL, null, this::fill), MIGRATE));
    if (plan.hostMetrics() || plan.ownMetrics()) {
      steps.add(planned(supervise(HOST_METRICS, null, this::hostMetrics), Plan.TOPOLOGY));
    }
    return steps;
  }

  private static Planned planned(Step step, String... needs) {
    return new Planned(step, Set.of(needs));
  }

  private Step supervise(String name, String at, Part.Starter starter) {
    Part.Starter withServers = launch -> starter.start(launch.with(this::addServers));
    return new SupervisedPart(
        new Part(name, at, home.log(name), withServers), board, home.stopMarks());
  }

  /**
   * Passes Kafka client settings in the environment of a part; a started broker needs none. Removes
   * PostgreSQL's passwords, which not all parts may have: {@link #postgresOf}.
   */
  private void addServers(Map<String, String> environment) {
    environment.remove(PostgresUrl.PASSWORD_VARIABLE);
    environment.remove(PostgresUrl.PASSWORD_FILE_VARIABLE);
    if (plan.startsKafka()) {
      environment
          .entrySet()
          .removeIf(each -> KafkaSettings.isOfClients(each.getKey(), each.getValue()));
    }
    plan.kafka()
        .file()
        .ifPresent(file -> environment.put(KafkaSettings.FILE_VARIABLE, file.toString()));
  }

  /** Returns the database with the role of a part, and a file with only its password. */
  private PostgresUrl postgresOf(String part, PostgresUrl asRole) {
    return Passwords.ofPart(asRole, folder(part));
  }

  /** Returns the variable that libraries read if their URL names no file. */
  private static Map<String, String> passwordFile(PostgresUrl ofPart) {
    return Map.of(
        PostgresUrl.PASSWORD_FILE_VARIABLE, ofPart.passwordFile().orElseThrow().toString());
  }

  private Step sink() {
    return new ConnectorReconciler(
        new SinkConnector(
            plan.connectUrl(),
            TokenFile.read(connectToken),
            plan.names(),
            plan.kafka(),
            plan.sinkPostgres(),
            () -> ConnectSettings.replication(plan.kafka())),
        board,
        home.log(Plan.CONNECT),
        home.stopMarks());
  }

  private RunningProcess kafka(Launch launch) {
    var options = new ArrayList<>(HEAP);
    options.addAll(installation.brokerExporter(plan.port(Plan.KAFKA_METRICS)).optionsOfBroker());
    return KafkaBroker.start(
        home.of(Plan.KAFKA), plan.port(Plan.KAFKA), launch, heaps.kafka(), options);
  }

  private RunningProcess postgres(Launch launch) {
    return PostgresServer.start(
        home.of(Plan.POSTGRES), plan.port(Plan.POSTGRES), launch, plan.postgres().password());
  }

  private void migrate() {
    Migration.run(plan.postgres());
    Owner.check(plan.postgres(), plan.names());
    if (plan.startsPostgres()) {
      Roles.grant(plan.postgres());
      Roles.addLogin(plan.postgres(), Plan.SINK_USER, "rondo_writer");
      Roles.addLogin(plan.postgres(), Plan.API_USER, "rondo_reader", "rondo_event_writer");
      Roles.addLogin(plan.postgres(), Plan.PRUNE_USER, "rondo_pruner");
      Roles.addLogin(plan.postgres(), Plan.FILL_USER, "rondo_filler");
    }
  }

  private RunningProcess connect(Launch launch) {
    var options = new ArrayList<>(HEAP);
    options.addAll(installation.jmxExporter(plan.port(Plan.CONNECT_METRICS)).options());
    var settings =
        new HashMap<>(
            ConnectSettings.of(plan.kafka(), plan.names().connectGroup(), installation.plugins()));
    settings.putAll(ConnectSettings.guard(connectToken));
    var passwords = passwordFile(postgresOf(Plan.CONNECT, plan.sinkPostgres()));
    return ConnectWorker.start(
        home.of(Plan.CONNECT),
        plan.port(Plan.CONNECT),
        settings,
        launch.with(launch.environment().andThen(environment -> environment.putAll(passwords))),
        JavaCommand.withOptions(heaps.connect(), options, ConnectWorker.MAIN));
  }

  private RunningProcess topology(Launch launch) {
    var created = new CreatedSources(plan.kafka(), plan.topologyMetricsUrl());
    Path folder = folder(Plan.TOPOLOGY);
    var options = new ArrayList<>(HEAP);
    options.add("-Xmx" + heaps.topology());
    var command =
        JavaCommand.of(
            installation.classPath(TOPOLOGY_MODULE),
            options,
            "dev.rondo.topology.Main",
            writeTopologyProperties(folder).toString());
    var child =
        ChildProcess.start(
            Plan.TOPOLOGY,
            command,
            Map.of(),
            folder,
            launch.with(
                environment -> {
                  launch.environment().accept(environment);
                  environment.keySet().removeIf(TopologyProperties::isVariable);
                }));
    child.awaitReady(START_BOUND, () -> HttpProbe.isOk(plan.topologyUrl() + "/health"));
    created.lines().forEach(board::note);
    return child;
  }

  private Path writeTopologyProperties(Path folder) {
    Properties properties =
        TopologyProperties.of(plan, topologySettings.get(), folder.resolve("state"));
    return PropertiesFile.write(folder.resolve("topology.properties"), properties);
  }

  private RunningProcess api(Launch launch) {
    Path queryApi = installation.queryApi();
    var command =
        List.of(
            installation.python().toString(),
            "-m",
            "gunicorn",
            "-c",
            queryApi.resolve("gunicorn.conf.py").toString(),
            "rondo_query_api.app:create_app()");
    var environment = new HashMap<>(QueryApiKafka.environment(plan.kafka(), folder(Plan.API)));
    environment.put("RONDO_API_BIND", "127.0.0.1:" + plan.port(Plan.API));
    if (plan.apiToken() != null) {
      environment.put("RONDO_API_TOKENS_FILE", plan.apiToken().toString());
    }
    PostgresUrl postgres = postgresOf(Plan.API, plan.apiPostgres());
    environment.put("RONDO_API_DATABASE_URL", postgres.withoutAuth().url());
    if (!postgres.password().isEmpty()) {
      environment.put("PGREQUIREAUTH", postgres.requiredAuth()); // supported by libpq since 16
    }
    environment.put(
        "RONDO_API_KAFKA_SERIES_REQUESTS_TOPIC", plan.names().of(Topics.SERIES_REQUESTS).name());
    environment.put(
        "RONDO_API_KAFKA_DEAD_LETTERS_TOPIC", plan.names().of(Topics.DEAD_LETTERS).name());
    environment.put("RONDO_API_TOPOLOGY_URLS", plan.topologyUrl());
    environment.put("RONDO_API_CONNECT_URLS", plan.connectUrl());
    environment.put(
        "RONDO_API_CONNECT_METRICS_URLS", "http://127.0.0.1:" + plan.port(Plan.CONNECT_METRICS));
    var child = ChildProcess.start(Plan.API, command, environment, folder(Plan.API), launch);
    child.awaitReady(START_BOUND, () -> HttpProbe.isOk(plan.apiUrl() + "/health"));
    return child;
  }

  private RunningProcess fill(Launch launch) {
    var options = new ArrayList<>(HEAP);
    options.add("-Xmx" + heaps.fill());
    options.addAll(JavaCommand.SMALL);
    var command =
        JavaCommand.of(
            installation.classPath(HISTORY_MODULE),
            options,
            "dev.rondo.history.Main",
            "policies",
            "fill");
    var environment =
        Map.of("RONDO_FILL_DATABASE_URL", postgresOf(FILL, plan.fillPostgres()).url());
    var child = ChildProcess.start(FILL, command, environment, folder(FILL), launch);
    child.archiveClasses(FIRST_WORK);
    return child;
  }

  private RunningProcess hostMetrics(Launch launch) {
    var options = new ArrayList<>(HEAP);
    options.add("-Xmx" + heaps.hostMetrics());
    options.addAll(JavaCommand.SMALL);
    var command =
        new ArrayList<>(
            JavaCommand.of(
                installation.classPath(HOST_METRICS_MODULE),
                options,
                "dev.rondo.host.HostCollector",
                "--kafka",
                plan.kafka().bootstrap()));
    if (!plan.hostMetrics()) {
      command.add("--no-host");
    }
    if (plan.ownMetrics()) {
      command.addAll(ownMetrics());
    }
    var child = ChildProcess.start(HOST_METRICS, command, Map.of(), folder(HOST_METRICS), launch);
    child.archiveClasses(FIRST_WORK);
    return child;
  }

  private List<String> ownMetrics() {
    var options = new ArrayList<String>();
    options.add("--part=%s=%s".formatted(Plan.TOPOLOGY, plan.topologyMetricsUrl()));
    options.add("--part=%s=%s".formatted(ConnectorReconciler.NAME, plan.connectMetricsUrl()));
    options.add("--part=%s=%s".formatted(Plan.API, plan.apiMetricsUrl()));
    if (plan.apiToken() != null) {
      options.add("--part-token=%s=%s".formatted(Plan.API, plan.apiToken()));
    }
    return options;
  }

  /** Collects garbage of the start, so that heaps shrink, once all parts run. */
  public void settle(State state) {
    try {
      for (String part : JVMS) {
        PartState now = state.parts.get(part);
        if (now != null && now.runs()) {
          Jcmd.run(now.pid(), "GC.run");
        }
      }
      System.gc(); // the supervisor's own heap
    } catch (IOException e) {
      board.note("could not shrink the heaps: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Path folder(String part) {
    try {
      return Files.createDirectories(home.of(part));
    } catch (IOException e) {
      throw new UncheckedIOException("could not create the folder " + home.of(part), e);
    }
  }
}
