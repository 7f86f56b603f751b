package dev.rondo.topology;

import static java.util.Objects.requireNonNullElse;

import dev.rondo.connection.kafka.ClockWatch;
import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.connection.kafka.Replication;
import dev.rondo.connection.settings.LogFormat;
import dev.rondo.formats.catalog.NativeCode;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.access.MissingRights;
import dev.rondo.topology.access.Part;
import dev.rondo.topology.access.RefusalLog;
import dev.rondo.topology.clients.InstanceClients;
import dev.rondo.topology.clients.OffsetPoller;
import dev.rondo.topology.clients.PartitionDiscovery;
import dev.rondo.topology.clients.SetAsideSources;
import dev.rondo.topology.clients.SourceLogs;
import dev.rondo.topology.clients.SourceLosses;
import dev.rondo.topology.clients.SourcePartitions;
import dev.rondo.topology.clients.StaticMembers;
import dev.rondo.topology.clients.UnassignedPartitions;
import dev.rondo.topology.config.EnvironmentSettings;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.SeriesInquiry;
import dev.rondo.topology.drops.DropTotals;
import dev.rondo.topology.drops.DropWarnings;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.lag.LagCollector;
import dev.rondo.topology.locations.SeriesLocationConsumer;
import dev.rondo.topology.memory.MemoryBudget;
import dev.rondo.topology.order.MergedPartitions;
import dev.rondo.topology.order.SourceProgress;
import dev.rondo.topology.saturation.Saturation;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourceRules;
import dev.rondo.topology.topics.PolicyVersionConsumer;
import dev.rondo.topology.topics.RecordedPartitions;
import dev.rondo.topology.topics.ReplayEpoch;
import dev.rondo.topology.topics.RondoTopics;
import dev.rondo.topology.topics.TopicReplication;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the topology: config → topology → Kafka Streams → health. */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  /** How long brokers may be unavailable when an instance starts. */
  private static final Duration BROKERS_MAY_RESTART = Duration.ofMinutes(1);

  private Main() {}

  /**
   * {@code args[0]} is the properties file; without it the environment may name one. Exits with 2
   * if a setting is wrong, 1 on a failure.
   */
  public static void main(String[] args) {
    if (args.length > 1) {
      System.err.println("usage: dev.rondo.topology.Main [FILE.properties]");
      System.exit(FailureReport.WRONG_SETTING);
    }
    Map<String, String> environment = System.getenv();
    LogFormat.fault(environment)
        .or(NativeCode::fault)
        .ifPresent(
            fault -> {
              System.err.println(fault);
              System.exit(FailureReport.WRONG_SETTING);
            });
    Optional<Path> file =
        args.length == 1 ? Optional.of(Path.of(args[0])) : EnvironmentSettings.file(environment);
    try {
      TopologyConfig config = TopologyConfig.read(file, environment);
      KafkaConnection.check(config.kafka(), BROKERS_MAY_RESTART);
      System.exit(runAuthorized(config));
    } catch (ConfigException | SettingException e) {
      System.err.println(file.map(name -> name + ": ").orElse("") + e.getMessage());
      System.exit(FailureReport.WRONG_SETTING);
    } catch (KafkaConnection.UnavailableException e) {
      LOG.error("The topology failed to start: {}", e.getMessage());
      System.err.println("The topology failed to start: " + e.getMessage());
      System.exit(FailureReport.FAILED);
    } catch (IOException | ExecutionException | InterruptedException | RuntimeException e) {
      LOG.error("The topology failed to start", e);
      System.err.println("The topology failed to start: " + e.getMessage());
      System.exit(FailureReport.FAILED);
    }
  }

  /** Reports a missing right in one line, without a stack trace. */
  private static int runAuthorized(TopologyConfig config)
      throws IOException, ExecutionException, InterruptedException {
    try {
      return run(config);
    } catch (ExecutionException | RuntimeException e) {
      String refusal = MissingRights.explain(config, Part.TOPOLOGY, e).orElse("");
      if (refusal.isEmpty()) {
        throw e;
      }
      LOG.error("The topology failed to start: {}", refusal);
      System.err.println("The topology failed to start: " + refusal);
      return FailureReport.FAILED;
    }
  }

  private static int run(TopologyConfig config)
      throws IOException, ExecutionException, InterruptedException {
    SourceRules rules = config.sourceRules();
    RecordedPartitions recorded = createTopics(config);
    try (Admin admin = Admin.create(config.admin());
        PolicyVersionConsumer policies = PolicyVersionConsumer.start(config, admin)) {
      return run(
          new TopologyDefinition(config, policies, rules, ReplayEpoch.read(config)),
          recorded,
          admin);
    }
  }

  @SuppressWarnings("try") // some resources are only closed
  private static int run(TopologyDefinition settings, RecordedPartitions recorded, Admin admin)
      throws IOException, ExecutionException, InterruptedException {
    TopologyConfig config = settings.config();
    SourceRules rules = settings.rules();
    MergedPartitions merged = RondoTopology.merged(config, rules);
    MemoryBudget memory = MemoryBudget.ofHeap(config.getLong("max.series"));
    SourceProgress progress = new SourceProgress(memory.merge());
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    if (!config.exportsAllKafkaMetrics()) {
      registry.config().meterFilter(new KafkaMeters());
    }
    memory.bindTo(registry);
    registry.getPrometheusRegistry().register(new LagCollector(progress.lag()));
    Drops drops = new Drops(registry, Clock.systemUTC(), totals(config));
    SeriesInquiry inquiry = new SeriesInquiry();
    try (SeriesLocationConsumer series = SeriesLocationConsumer.start(config, admin, registry);
        DropWarnings warnings = DropWarnings.start(drops, Clock.systemUTC());
        Saturation saturation = Saturation.start(progress.lag(), registry)) {
      SharedState shared =
          new SharedState(merged, progress, series.locations(), memory, drops, inquiry, registry);
      Topology topology = RondoTopology.build(settings, shared);
      LOG.info("{}", topology.describe());
      UnassignedPartitions unassigned =
          new UnassignedPartitions(
              config.getString("application.id"), new RefusalLog(config), registry);
      SourceLogs logs =
          new SourceLogs(
              admin,
              RondoTopics.bySeries(config.getString("application.id"))::equals,
              new SourceLosses(registry));
      PartitionDiscovery discovery =
          new PartitionDiscovery(
              admin,
              config,
              rules,
              recorded,
              merged,
              unassigned,
              logs,
              new SetAsideSources(registry),
              new SourcePartitions(registry));
      discovery.run(OffsetPoller.nowMs());
      try (OffsetPoller poller =
          OffsetPoller.start(
              admin,
              config.getString("application.id"),
              discovery,
              merged,
              progress,
              new RefusalLog(config))) {
        KafkaStreams streams =
            new KafkaStreams(
                topology,
                config.streams(Replication.of(admin)),
                new InstanceClients(
                    config.instance(),
                    rules,
                    merged,
                    progress,
                    discovery,
                    new StaticMembers(admin, config.getString("application.id")),
                    logs,
                    Set.of(
                        RondoTopics.bySeries(config.getString("application.id")),
                        config.topic(Topics.SERIES_REQUESTS).name())));
        return run(config, streams, drops, inquiry, registry);
      }
    }
  }

  private static DropTotals totals(TopologyConfig config) throws IOException {
    String file = config.getString("drops.file");
    return file.isEmpty() ? DropTotals.NONE : DropTotals.start(Path.of(file));
  }

  private static RecordedPartitions createTopics(TopologyConfig config)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(config.admin())) {
      List<Source> sources = config.sources(admin);
      RondoTopics.create(admin, config, sources);
      TopicReplication.warn(admin, config);
      RecordedPartitions recorded = RecordedPartitions.read(config);
      recorded.check(RondoTopics.pinnedCounts(admin, config));
      return recorded;
    }
  }

  /** Runs until Kafka Streams has stopped. Returns the exit code. */
  @SuppressWarnings("try") // the clock watch is only closed
  private static int run(
      TopologyConfig config,
      KafkaStreams streams,
      Drops drops,
      SeriesInquiry inquiry,
      PrometheusMeterRegistry registry)
      throws IOException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    FailureReport failures = new FailureReport(config);
    streams.setUncaughtExceptionHandler(failures);
    streams.setStateListener(
        (now, before) -> {
          if (now.hasCompletedShutdown()) {
            stopped.countDown();
          }
        });
    bindMetrics(streams, registry);
    bindInfo(config.instance(), registry);
    try (ClockWatch watch = ClockWatch.start(FailureReport::endAfterClockSetBack);
        HttpEndpoints http =
            HttpEndpoints.start(
                config.getString("http.host"),
                config.getInt("http.port"),
                new Health(
                    streams::state, streams::metrics, config.pollLimit(), config.sessionTimeout()),
                registry,
                drops,
                inquiry)) {
      LOG.info("health and metrics on port {}", http.port());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(streams, drops)));
      streams.start();
      stopped.await();
    }
    return streams.state() == KafkaStreams.State.ERROR ? failures.exitCode() : 0;
  }

  private static void close(KafkaStreams streams, Drops drops) {
    streams.close(CLOSE_TIMEOUT);
    drops.close();
  }

  @SuppressWarnings("resource") // they live as long as the process
  private static void bindMetrics(KafkaStreams streams, PrometheusMeterRegistry registry) {
    new KafkaStreamsMetrics(streams).bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmGcMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
  }

  private static void bindInfo(String instance, PrometheusMeterRegistry registry) {
    String version = Main.class.getPackage().getImplementationVersion();
    Gauge.builder("rondo.topology.info", () -> 1)
        .description("Always 1; its labels name the instance and the version of Rondo")
        .tags("instance_id", instance, "version", requireNonNullElse(version, "unpackaged"))
        .register(registry);
  }
}
