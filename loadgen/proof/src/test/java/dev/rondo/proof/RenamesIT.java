package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.harness.parts.Instance;
import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import dev.rondo.proof.model.Collector;
import dev.rondo.proof.model.Collector.Sending;
import dev.rondo.proof.model.Comparison;
import dev.rondo.proof.model.PolicyRule;
import dev.rondo.proof.model.Series;
import dev.rondo.proof.model.StoredSlots;
import dev.rondo.schemas.Topics;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Series are renamed while instances and the sink are killed. Each graph shows the old series up to
 * the first point of the new one, and that one from there on, slot by slot. Times of points, in
 * minutes; half of the new series exist when the old ones are renamed:
 *
 * <pre>
 *   0 ────── old ────── 40 ···· 50                    some go on beside the new ones
 *                          45 ────── new ────── 90
 *                                                                now ── old, new series
 * </pre>
 */
@Tag("long")
@Timeout(1800)
class RenamesIT {
  private static final String NAME = "renames";
  private static final int SERIES = 48;
  private static final long MINUTE_MS = 60_000;
  private static final Duration BOUND = Duration.ofMinutes(5);

  private final Settings settings = Settings.current();
  private final Random random = new Random(settings.seed());
  private final PolicyRule rule = PolicyRule.withoutWrap(NAME);
  private final long beginMs =
      System.currentTimeMillis() / rule.coarsestStepMs() * rule.coarsestStepMs() - 180 * MINUTE_MS;
  private final List<Series> old = series("old", at(0), n -> n % 3 == 0 ? 50 : 40);
  private final List<Series> renamed = series("new", at(45), n -> 1000);
  private Services services;
  private Producer<byte[], byte[]> producer;

  private List<Series> series(String name, long fromMs, IntUnaryOperator lastMinute) {
    return IntStream.range(0, SERIES)
        .mapToObj(
            n ->
                new Series(
                    n % 2 == 0
                        ? "%s.%s.s%d".formatted(NAME, name, n)
                        : "%s.s%d;host=%s".formatted(NAME, n, name),
                    random.nextLong(),
                    fromMs,
                    at(lastMinute.applyAsInt(n))))
        .toList();
  }

  private long at(int minute) {
    return beginMs + minute * MINUTE_MS;
  }

  @Test
  void shouldShowOneGraph() throws Exception {
    services = Services.shared();
    services.createTopic(NAME, Instances.PARTITIONS, Topics.POINTS.configs());
    Path dir = Files.createDirectories(services.dir().resolve(NAME));
    Path policies = Files.writeString(dir.resolve("policies.yaml"), rule.yaml());
    Map<String, Object> config = Map.of("bootstrap.servers", services.bootstrap());
    try (var sending =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        var instances =
            new Instances(services, NAME, List.of(NAME), policies, settings.standby())) {
      producer = sending;
      Instance one = instances.add();
      Instance other = instances.add();
      List<Series> known = renamed.subList(0, SERIES / 2);
      sender(old).send(at(60));
      sender(known).send(at(60));
      awaitGraphs(old, known);

      one.kill();
      rename(0, SERIES * 3 / 4);
      one.start();
      services.killConnect();
      rename(SERIES / 4, SERIES); // some of them again
      other.kill();
      other.start();
      awaitGraphs(renamed, List.of());

      long nowMs = System.currentTimeMillis();
      List<Series> again = series("old", nowMs + 1000, n -> 1000);
      sender(again).send(nowMs + 2 * MINUTE_MS);
      sender(renamed).send(at(75));
      one.kill();
      one.start();
      services.killConnect();
      awaitGraphs(renamed, again);

      instances.awaitCaughtUp();
      one.stop();
      other.stop();
      replay(dir.resolve("instance-1/topology.properties"));
      one.start();
      other.start();
      sender(renamed).end(at(90));
      awaitGraphs(renamed, again);
    }
  }

  private Collector sender(List<Series> series) {
    return new Collector(
        NAME, "host", Sending.BATCH_WITHOUT_KEY, series, producer, new ArrayList<>());
  }

  /** Requests that old series from one to another one, exclusively, are renamed. */
  private void rename(int from, int to) throws Exception {
    String renames =
        IntStream.range(from, to)
            .mapToObj(n -> "\"%s\": \"%s\"".formatted(old.get(n).ident(), renamed.get(n).ident()))
            .collect(Collectors.joining(", "));
    try (var requests =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", services.bootstrap()),
            new StringSerializer(),
            new StringSerializer())) {
      String json = "{\"renames\": {%s}}".formatted(renames);
      requests.send(new ProducerRecord<>(Topics.SERIES_REQUESTS.name(), json)).get();
    }
    IntStream.range(from, to).forEach(n -> renamed.get(n).continueFrom(old.get(n)));
  }

  /** Requests a replay of everything, while no instance runs. */
  private void replay(Path settings) throws Exception {
    Path target = services.root().resolve("topology/history/target");
    List<String> command =
        JavaCommand.of(
            target.resolve("*") + File.pathSeparator + target.resolve("lib").resolve("*"),
            List.of(),
            "dev.rondo.history.Main",
            "replay",
            "--config=" + settings,
            "--topic=" + NAME,
            "--to-earliest");
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  /** Waits until these graphs, and no others, are shown as the model has them. */
  private void awaitGraphs(List<Series> some, List<Series> others) {
    List<Series> all = Stream.concat(some.stream(), others.stream()).toList();
    var last = new AtomicReference<Comparison>();
    try {
      await("graphs as the model has them")
          .atMost(BOUND)
          .pollInterval(Duration.ofSeconds(1))
          .ignoreExceptions()
          .until(
              () -> {
                var stored = StoredSlots.shown(services.jdbcUrl(), NAME);
                last.set(Comparison.of(all, rule, stored));
                return last.get().isClean();
              });
    } catch (ConditionTimeoutException e) {
      if (last.get() == null) {
        throw e; // the slots could not be read
      }
      assertThat(last.get()).as("seed %d", settings.seed()).hasToString("");
    }
  }
}
