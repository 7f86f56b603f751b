package dev.rondo.local.parts;

import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.embedded.RunningProcess;
import dev.rondo.local.database.Migration;
import dev.rondo.local.database.Roles;
import dev.rondo.local.settings.Heaps;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.settings.Plan;
import dev.rondo.local.state.HttpProbe;
import dev.rondo.local.state.StateBoard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The steps of a start, in dependency order. */
public final class Parts {
  static final String HOST_METRICS = "host-metrics";

  private static final Duration START_BOUND = Duration.ofMinutes(2);

  private final Home home;
  private final Installation installation;
  private final Plan plan;
  private final Heaps heaps;
  private final StateBoard board;

  public Parts(Home home, Installation installation, Plan plan, Heaps heaps, StateBoard board) {
    this.home = home;
    this.installation = installation;
    this.plan = plan;
    this.heaps = heaps;
    this.board = board;
  }

  public List<Step> steps() {
    var steps = new ArrayList<Step>();
    if (plan.startsKafka()) {
      steps.add(supervise(Plan.KAFKA, plan.kafka(), this::kafka));
    }
    if (plan.startsPostgres()) {
      steps.add(supervise(Plan.POSTGRES, plan.postgres().shown(), this::postgres));
    }
    steps.add(new Step.Once("migrate", this::migrate));
    steps.add(supervise(Plan.TOPOLOGY, plan.topologyUrl(), this::topology)); // creates the topics
    steps.add(supervise(Plan.CONNECT, plan.connectUrl(), this::connect));
    steps.add(sink());
    steps.add(supervise(Plan.API, plan.apiUrl(), this::api));
    if (plan.hostMetrics()) {
      steps.add(supervise(HOST_METRICS, null, this::hostMetrics));
    }
    return steps;
  }

  private Step supervise(String name, String at, Part.Starter starter) {
    return new SupervisedPart(new Part(name, at, home.log(name), starter), board, home.stopMarks());
  }

  private Step sink() {
    return new ConnectorReconciler(
        new SinkConnector(
            plan.connectUrl(),
            plan.kafka(),
            plan.sinkPostgres(),
            () -> ConnectSettings.replication(plan.kafka())),
        board,
        home.log(Plan.CONNECT),
        home.stopMarks());
  }

  private RunningProcess kafka(Launch launch) {
    return KafkaBroker.start(home.of(Plan.KAFKA), plan.port(Plan.KAFKA), launch, heaps.kafka());
  }

  private RunningProcess postgres(Launch launch) {
    return PostgresServer.start(home.of(Plan.POSTGRES), plan.port(Plan.POSTGRES), launch);
  }

  private void migrate() {
    Migration.run(plan.postgres());
    if (plan.startsPostgres()) {
      Roles.grant(plan.postgres());
      Roles.addLogin(plan.postgres(), Plan.SINK_USER, "rondo_writer");
      Roles.addLogin(plan.postgres(), Plan.API_USER, "rondo_reader", "rondo_event_writer");
    }
  }

  private RunningProcess connect(Launch launch) {
    return ConnectWorker.start(
        home.of(Plan.CONNECT),
        plan.port(Plan.CONNECT),
        ConnectSettings.of(plan.kafka(), installation.plugins()),
        launch,
        JavaCommand.withOptions(
            heaps.connect(),
            installation.jmxExporter(plan.port(Plan.CONNECT_METRICS)).options(),
            ConnectWorker.MAIN));
  }

  private RunningProcess topology(Launch launch) {
    Path folder = folder(Plan.TOPOLOGY);
    var command =
        JavaCommand.of(
            installation.classPath("topology/streams"),
            List.of("-Xmx" + heaps.topology()),
            "dev.rondo.topology.Main",
            writeTopologyProperties(folder).toString());
    var child = ChildProcess.start(Plan.TOPOLOGY, command, Map.of(), folder, launch);
    child.awaitReady(START_BOUND, () -> HttpProbe.isOk(plan.topologyUrl() + "/health"));
    return child;
  }

  private Path writeTopologyProperties(Path folder) {
    var properties = new Properties();
    properties.setProperty("bootstrap.servers", plan.kafka());
    properties.setProperty("state.dir", folder.resolve("state").toString());
    properties.setProperty("http.host", "127.0.0.1");
    properties.setProperty("http.port", Integer.toString(plan.port(Plan.TOPOLOGY)));
    properties.setProperty("sources.create", Boolean.toString(plan.startsKafka()));
    if (plan.sources() != null) {
      properties.setProperty("sources.file", plan.sources().toString());
    }
    if (plan.policies() != null) {
      properties.setProperty("policies.file", plan.policies().toString());
    }
    Path file = folder.resolve("topology.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, "Written at every start");
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
    return file;
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
    var environment =
        Map.of(
            "RONDO_API_BIND",
            "127.0.0.1:" + plan.port(Plan.API),
            "RONDO_API_DATABASE_URL",
            plan.apiPostgres().url());
    var child = ChildProcess.start(Plan.API, command, environment, folder(Plan.API), launch);
    child.awaitReady(START_BOUND, () -> HttpProbe.isOk(plan.apiUrl() + "/health"));
    return child;
  }

  private RunningProcess hostMetrics(Launch launch) {
    var command =
        JavaCommand.of(
            installation.classPath("deploy/host-collector"),
            List.of("-Xmx" + heaps.hostMetrics(), "-XX:+UseSerialGC"),
            "dev.rondo.host.HostCollector",
            "--kafka",
            plan.kafka());
    return ChildProcess.start(HOST_METRICS, command, Map.of(), folder(HOST_METRICS), launch);
  }

  private Path folder(String part) {
    try {
      return Files.createDirectories(home.of(part));
    } catch (IOException e) {
      throw new UncheckedIOException("could not create the folder " + home.of(part), e);
    }
  }
}
