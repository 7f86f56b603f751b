package dev.rondo.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.JavaCommand;
import dev.rondo.harness.parts.Instances;
import dev.rondo.harness.parts.Services;
import dev.rondo.schemas.PolicyVersion;
import dev.rondo.schemas.Topics;
import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Archives that a policy gets after an hour have the slots of that hour after they are filled, as
 * if the policy had had them from its first point on. The process that fills is killed meanwhile.
 */
@Timeout(1800)
class ArchiveFillIT {
  private static final String NAME = "archive-fill";
  private static final Duration BOUND = Duration.ofMinutes(5);
  private static final long STEP_MS = 10_000;
  private static final long MINUTE_MS = 60_000;
  private static final int SERIES = 5;

  /** All of a slot must be known: a slot that the policy had only for a part of it stays empty. */
  private static final String FIRST = "\"10s:6h:1\"";

  private static final String SECOND = FIRST + ", \"1m:7d:1\", \"max:5m:7d:1\"";

  private static final Map<String, Long> ADDED = Map.of("wmean", MINUTE_MS, "max", 5 * MINUTE_MS);

  /** Three hours ago, aligned. */
  private final long beginMs = System.currentTimeMillis() / 3_600_000 * 3_600_000 - 3 * 3_600_000;

  private final Services services = shared();
  private final Random random = new Random(3);
  private final List<NavigableMap<Long, Double>> sent = new ArrayList<>();
  private long sentMs = beginMs;

  @TempDir Path dir;

  @Test
  void shouldHaveWhatTheyWouldHaveFromTheFirstPointOn() throws Exception {
    services.createTopic(NAME, Instances.PARTITIONS, Map.of());
    Path policies = Files.writeString(dir.resolve("policies.yaml"), policies(FIRST));
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            "sources: [{topic: %s, format: graphite, keyed: true}]".formatted(NAME));
    Map<String, Object> config = Map.of("bootstrap.servers", services.bootstrap());
    try (var instances = new Instances(services, NAME, List.of(NAME), policies, 0);
        var producer =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      instances.with("sources.file", sources.toString()).add().awaitRunning();
      send(producer, 60);
      apply(policies(SECOND));
      await() // each minute of points may be the first under the new version
          .atMost(BOUND)
          .until(
              () -> {
                send(producer, 1);
                return number("select count(*) from rra_bundle where policy = '" + NAME + "'") == 3;
              });
      send(producer, 20);
    }
    leaveOutOthers();
    kill();
    fill();
    for (String function : ADDED.keySet()) {
      for (int s = 0; s < SERIES; s++) {
        NavigableMap<Long, Double> expected = model(s, function);
        NavigableMap<Long, Double> stored = stored(s, function);
        assertThat(stored.keySet()).as("%s of series %s", function, s).isEqualTo(expected.keySet());
        expected.forEach(
            (endMs, value) -> assertThat(stored.get(endMs)).isCloseTo(value, within(1e-9)));
      }
    }
  }

  /** Sends points and waits until their slots are stored. */
  private void send(Producer<byte[], byte[]> producer, int minutes) throws Exception {
    long fromMs = sentMs;
    for (; sentMs <= fromMs + minutes * MINUTE_MS - STEP_MS; sentMs += STEP_MS) {
      for (int s = 0; s < SERIES; s++) {
        if (sent.size() == s) {
          sent.add(new TreeMap<>());
        }
        double value = random.nextInt(8000) / 8.0 - 200;
        boolean isSilent = s == 1 && sentMs % (20 * MINUTE_MS) < 4 * MINUTE_MS;
        if (!isSilent) {
          sent.get(s).put(sentMs, value);
          byte[] line =
              "%s.s%d %s %d\n"
                  .formatted(NAME, s, value, sentMs / 1000)
                  .getBytes(StandardCharsets.UTF_8);
          var unused =
              producer.send(new ProducerRecord<>(NAME, s % Instances.PARTITIONS, null, line));
        }
      }
    }
    producer.flush();
    await("the last slots of the points sent")
        .atMost(BOUND)
        .until(
            () ->
                number(
                        "select count(*) from ds join tv on tv.ds_id = ds.id"
                            + " where ident ->> 'name' like '%s.%%' and step_ms = %d and r is not null"
                                .formatted(NAME, STEP_MS)
                            + " and t = to_timestamp(%d)".formatted((sentMs - STEP_MS) / 1000))
                    >= SERIES - 1);
  }

  private void apply(String yaml) throws Exception {
    try (Producer<String, PolicyVersion> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", services.bootstrap()),
            Topics.POLICIES.keySerde().serializer(),
            Topics.POLICIES.valueSerde().serializer())) {
      var next = new PolicyVersion(2, System.currentTimeMillis(), NAME, yaml);
      producer.send(new ProducerRecord<>(Topics.POLICIES.name(), NAME + ":2", next)).get();
    }
  }

  /** Counts the archives of earlier tests, which share the services, as filled. */
  private void leaveOutOthers() throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute(
          "insert into archive_fill (rra_bundle_id, until, finished)"
              + " select id, now(), now() from rra_bundle where policy <> '%s'".formatted(NAME));
    }
  }

  /** Fills slowly and kills the process in the middle. */
  private void kill() throws Exception {
    Process filler = start("--rate=100", "--settle=5m");
    try {
      await("slots that are filled")
          .atMost(BOUND)
          .until(
              () ->
                  number("select coalesce(sum(slots), 0) from archive_fill where finished is null")
                      > 0);
    } finally {
      filler.destroyForcibly().waitFor();
    }
  }

  /** Fills the rest, once PostgreSQL has noticed that the killed process is gone. */
  private void fill() {
    await("all archives are filled")
        .atMost(BOUND)
        .until(
            () ->
                start("--once", "--settle=5m").waitFor() == 0
                    && number("select count(*) from archive_fill where finished is null") == 0);
  }

  private Process start(String... options) throws Exception {
    Path target = services.root().resolve("topology/history/target");
    List<String> command =
        new ArrayList<>(
            JavaCommand.of(
                target.resolve("*") + File.pathSeparator + target.resolve("lib/*"),
                List.of(),
                "dev.rondo.history.Main",
                "policies",
                "fill",
                "--postgres="
                    + services
                        .jdbcUrl()
                        .replaceFirst("jdbc:postgresql://([^?]*).*", "postgresql://rondo@$1")));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(dir.resolve("fill.log").toFile()))
        .start();
  }

  /** Slots of an added archive, from its points: a point is the value of the 10 s before it. */
  private NavigableMap<Long, Double> model(int series, String function) {
    long stepMs = ADDED.get(function);
    NavigableMap<Long, Double> points = sent.get(series);
    var slots = new TreeMap<Long, Double>();
    for (long endMs = beginMs + stepMs; endMs <= points.lastKey(); endMs += stepMs) {
      var values = new ArrayList<Double>();
      for (long tMs = endMs - stepMs + STEP_MS; tMs <= endMs; tMs += STEP_MS) {
        if (points.containsKey(tMs) && points.containsKey(tMs - STEP_MS)) {
          values.add(points.get(tMs));
        }
      }
      if (values.size() == stepMs / STEP_MS) {
        var numbers = values.stream().mapToDouble(Double::doubleValue);
        slots.put(
            endMs,
            function.equals("max") ? numbers.max().orElseThrow() : numbers.average().orElseThrow());
      }
    }
    return slots;
  }

  private NavigableMap<Long, Double> stored(int series, String function) throws SQLException {
    var slots = new TreeMap<Long, Double>();
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select t, r from ds join tv on tv.ds_id = ds.id join rra_bundle b on b.id = rra_bundle_id"
                    + " where ident ->> 'name' = '%s.s%d' and r is not null and cf = '%s' and b.step_ms = %d"
                        .formatted(NAME, series, function, ADDED.get(function)))) {
      while (result.next()) {
        slots.put(result.getTimestamp(1).getTime(), result.getDouble(2));
      }
    }
    return slots;
  }

  private long number(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(services.jdbcUrl());
        var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }

  private static String policies(String archives) {
    return "policies: [{name: %s, match: '.*', step: 10s, heartbeat: 2m, archives: [%s]}]"
        .formatted(NAME, archives);
  }

  private static Services shared() {
    try {
      return Services.shared();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
