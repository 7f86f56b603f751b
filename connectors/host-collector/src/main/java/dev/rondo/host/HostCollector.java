package dev.rondo.host;

import dev.rondo.connection.command.CommandLines;
import dev.rondo.connection.kafka.KafkaConfigOption;
import dev.rondo.connection.kafka.KafkaSettings;
import dev.rondo.connection.settings.LogFormat;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import oshi.SystemInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Publishes the metrics of this machine, and of parts of Rondo, at every multiple of the interval,
 * until SIGTERM or SIGINT.
 */
@Command(
    name = "host-collector",
    description = {
      "Publishes this machine's metrics until SIGTERM or SIGINT.",
      "",
      "CPU, memory, disk, network and load of this machine, and the metrics of parts of Rondo, go to a"
          + " topic."
    })
public final class HostCollector implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(HostCollector.class);
  private static final String LOCAL_KAFKA = "127.0.0.1:9092";
  private static final String NODES = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";
  private static final int MAX_RECORD_BYTES = 500_000;
  private static final Duration END_TIMEOUT = Duration.ofSeconds(15);

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description =
          "Kafka broker (default: that of --kafka-config or RONDO_KAFKA_BOOTSTRAP_SERVERS, else"
              + " 127.0.0.1:9092).")
  private String bootstrap;

  @Mixin private final KafkaConfigOption kafkaConfig = new KafkaConfigOption();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "points",
      description = "Topic to publish to (default: ${DEFAULT-VALUE}).")
  private String topic;

  @Option(
      names = "--interval",
      paramLabel = "SPAN",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "Time between readings, whole seconds (default: ${DEFAULT-VALUE}).")
  private Duration interval;

  @Option(
      names = "--prefix",
      paramLabel = "NODES",
      defaultValue = "hosts",
      description = "Nodes before every name (default: ${DEFAULT-VALUE}).")
  private String prefix;

  @Option(
      names = "--host",
      paramLabel = "NODE",
      description = "Node after the prefix (default: this host's short name).")
  private String host;

  @Option(names = "--no-host", description = "Do not publish metrics of this machine.")
  private boolean noHost;

  @Option(
      names = "--part",
      paramLabel = "PART=URL",
      converter = PartAddress.Converter.class,
      description =
          "Publish the Prometheus metrics of a part of Rondo at URL, as rondo.PART.HOST-PORT.*;"
              + " repeatable.")
  private List<PartAddress> parts = List.of();

  @Option(
      names = "--part-token",
      paramLabel = "PART=FILE",
      description = "File with the bearer token for PART; repeatable.")
  private Map<String, Path> partTokens = Map.of();

  @Option(
      names = "--max-part-series",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Maximum number of published series per part (default: ${DEFAULT-VALUE}).")
  private int maxPartSeries;

  @Spec private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();
  private final CountDownLatch endRequested = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  public static CommandLine commandLine() {
    return CommandLines.of(new HostCollector());
  }

  @Override
  public Integer call() throws InterruptedException {
    LogFormat.fault(System.getenv()).ifPresent(this::refuse);
    var info = new SystemInfo();
    String node = host == null ? HostReader.shortHostName(info) : GraphiteLines.safeNode(host);
    List<Metrics> all = metrics(info, node);
    Ticks ticks = ticks();
    KafkaSettings kafka = kafka();
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end"));
    try (var publisher =
        new PointPublisher(
            kafka, topic, node, new DropLog(clock), PointPublisher.MAX_BUFFERED_BYTES)) {
      for (Metrics each : all) {
        LOG.info(
            "publishing {}.* every {} to topic {} at {}",
            each.parent(),
            interval,
            topic,
            kafka.bootstrap());
      }
      readUntilEnd(ticks, all, publisher);
    } finally {
      LOG.info("ended");
      ended.countDown();
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Metrics> metrics(SystemInfo info, String node) {
    var all = new ArrayList<Metrics>();
    if (!noHost) {
      all.add(new HostMetrics(checkedPrefix() + "." + node, new HostReader(info)));
    }
    partTokens.keySet().stream()
        .filter(part -> parts.stream().noneMatch(each -> each.part().equals(part)))
        .forEach(part -> refuse("no --part is '%s' (--part-token)".formatted(part)));
    if (maxPartSeries < 1) {
      refuse("max-part-series is %d, below 1 (--max-part-series)".formatted(maxPartSeries));
    }
    for (PartAddress part : parts) {
      Path token = partTokens.get(part.part());
      all.add(new PartMetrics(part, part.instance(node), token, maxPartSeries));
    }
    if (all.isEmpty()) {
      refuse("there is nothing to publish: --no-host needs a --part");
    }
    return all;
  }

  private KafkaSettings kafka() {
    try {
      KafkaSettings given = KafkaSettings.read(bootstrap, kafkaConfig.file());
      return given.bootstrap().isEmpty()
          ? KafkaSettings.read(LOCAL_KAFKA, kafkaConfig.file())
          : given;
    } catch (ConfigException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private String checkedPrefix() {
    if (!prefix.matches(NODES)) {
      refuse(
          "prefix '%s' is not made of nodes of letters, digits, _ and - separated by dots (--prefix)"
              .formatted(prefix));
    }
    return prefix;
  }

  private Ticks ticks() {
    try {
      return new Ticks(clock, interval.toMillis());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage() + " (--interval)", e);
    }
  }

  private void refuse(String message) {
    throw new ParameterException(spec.commandLine(), message);
  }

  private void readUntilEnd(Ticks ticks, List<Metrics> all, PointPublisher publisher)
      throws InterruptedException {
    while (true) {
      long next = ticks.next();
      if (endRequested.await(ticks.untilMs(next), TimeUnit.MILLISECONDS)) {
        return;
      }
      long tick = ticks.latest();
      if (tick < next) {
        continue; // the clock was set back, or runs slower than the wait
      }
      for (Metrics each : all) {
        publisher.publish(
            GraphiteLines.pack(each.parent(), each.read(), tick / 1000, MAX_RECORD_BYTES));
      }
    }
  }

  /** Runs on SIGTERM: the JVM halts when this returns, so it waits for the last record. */
  private void end() {
    endRequested.countDown();
    try {
      if (!ended.await(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("did not end within {}: readings may be lost", END_TIMEOUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
