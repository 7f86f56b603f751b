package dev.rondo.history.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.history.offsets.SourceOffset;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * An hour of points at uneven times, spread over the partitions of the topic, read again by a real
 * topology: the table of rows stays as it was, bit for bit. Since it does, each test goes on from
 * it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayIT {
  private static final int SERIES = 20;
  private static final int PARTITIONS = 4;
  private static final long HOUR_MS = 3_600_000;
  private static final long MINUTE_MS = 60_000;
  private static final String ARCHIVES = "\"10s:2h\", \"1m:4h\", \"10m:1d\"";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** An hour that is over, aligned. */
  private final long baseMs = System.currentTimeMillis() / HOUR_MS * HOUR_MS - 2 * HOUR_MS;

  /** Points by series and time. */
  private final Map<String, NavigableMap<Long, Double>> points = new TreeMap<>();

  private final KafkaSpace kafka = TestBed.kafka();
  private final String source = kafka.source("points");
  private Admin admin;
  private TopologyProcess topology;
  private RowTable table;

  @BeforeAll
  void start() throws Exception {
    admin = Admin.create(kafka.client());
    var topic = new NewTopic(source, PARTITIONS, (short) 1);
    NewTopics.create(admin, List.of(topic.configs(Map.of("retention.ms", "-1"))));
    topology =
        new TopologyProcess(dir, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources", source + "=graphite")
            .set("policies.file", dir.resolve("policies"))
            .set("policies.apply.at.start", true)
            .set("partitions", 2)
            .set("width", 7)
            .set("row.linger.ms", 500)
            .set("refresh.ms", 1000);
    writePolicies(ARCHIVES);
    publish();
    topology.start();
    table = new RowTable(kafka);
    awaitSettled(0);
  }

  @AfterAll
  void stop() {
    if (table != null) {
      table.close();
    }
    if (topology != null) {
      topology.close();
    }
    admin.close();
  }

  private void writePolicies(String archives) throws Exception {
    Files.writeString(
        dir.resolve("policies"),
        "policies: [{name: p, match: '.*', step: 10s, heartbeat: 2m, archives: [%s]}]"
            .formatted(archives));
  }

  /** In the order of time, each point in any partition; all series end together, on the hour. */
  private void publish() {
    NavigableMap<Long, StringBuilder> lines = new TreeMap<>();
    for (int s = 0; s < SERIES; s++) {
      NavigableMap<Long, Double> ofSeries = new TreeMap<>();
      long tMs = baseMs + random.nextInt(20_000);
      while (tMs < baseMs + HOUR_MS) {
        ofSeries.put(tMs, random.nextGaussian() * 1e6);
        tMs += 1_000 + random.nextInt(24_000);
      }
      ofSeries.put(baseMs + HOUR_MS, random.nextGaussian());
      String ident = "replayed.s" + s;
      points.put(ident, ofSeries);
      ofSeries.forEach(
          (t, v) ->
              lines
                  .computeIfAbsent(t, at -> new StringBuilder())
                  .append("%s %s %d.%03d%n".formatted(ident, v, t / 1000, t % 1000)));
    }
    Map<String, Object> config = kafka.client();
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      lines.forEach((tMs, text) -> send(producer, tMs, text.toString()));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // closing the producer waits for all of them
  private void send(KafkaProducer<byte[], byte[]> producer, long tMs, String text) {
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(source, random.nextInt(PARTITIONS), tMs, null, value));
  }

  /**
   * Waits for more rows than {@code before}, for the sources to be read to their end, and then for
   * silence.
   */
  private void awaitSettled(long before) {
    var group = new GroupOffsets(admin, kafka.prefix());
    await().until(() -> group.sources(List.of(source)).stream().noneMatch(SourceOffset::isBehind));
    await().pollDelay(Duration.ZERO).until(() -> table.poll() > before && isSilent());
  }

  private boolean isSilent() {
    long rows = table.poll();
    long until = System.nanoTime() + Duration.ofSeconds(4).toNanos();
    while (System.nanoTime() < until) {
      if (table.poll() > rows) {
        return false;
      }
    }
    return true;
  }

  private void replay(String... howFar) throws Exception {
    topology.close();
    var out = new StringWriter();
    String[] arguments = {
      "--config", topology.settings().toString(), "--topic", source, "--follow"
    };
    var command = Commands.commandLine(new ReplayCommand()).setOut(new PrintWriter(out, true));
    CompletableFuture<Integer> replay =
        CompletableFuture.supplyAsync(
            () ->
                command.execute(
                    Stream.of(arguments, howFar).flatMap(Arrays::stream).toArray(String[]::new)));
    await()
        .until(() -> replay.isDone() || out.toString().contains("waiting for the topology to be"));
    long before = table.poll();
    topology.start();
    assertThat(replay.get(2, TimeUnit.MINUTES)).as(out.toString()).isZero();
    assertThat(out.toString()).containsPattern("Read again: \\d+ records in .* records/s");
    awaitSettled(before);
  }

  @Test
  @Tag("long")
  void shouldLeaveEveryRowAsItWas() throws Exception {
    Map<String, String> before = table.bits();
    assertThat(before).hasSizeGreaterThan(400);

    replay("--from", Instant.ofEpochMilli(baseMs + 31 * MINUTE_MS + 17_300).toString());
    assertThat(table.bits()).as("from a time, seed %d", seed).isEqualTo(before);

    replay("--to-earliest");
    assertThat(table.bits()).as("from the beginning, seed %d", seed).isEqualTo(before);
  }

  @Test
  void shouldFillANewArchive() throws Exception {
    Map<String, String> before = table.bits();
    writePolicies(ARCHIVES + ", \"max:1m:1h\"");
    replay("--to-earliest");

    assertThat(table.bits())
        .as("the archives of before, seed %d", seed)
        .containsAllEntriesOf(before);
    points.forEach(
        (ident, ofSeries) -> {
          Map<Long, Double> stored = table.of(ident, "max", MINUTE_MS);
          for (long endMs = baseMs + 2 * MINUTE_MS; endMs <= baseMs + HOUR_MS; endMs += MINUTE_MS) {
            double expected = maxOfMeans(ofSeries, endMs);
            assertThat(stored.get(endMs))
                .as("%s at %d, seed %d", ident, endMs, seed)
                .isCloseTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
          }
        });
  }

  /** The largest of the six means of 10 s; a value holds from the previous point on. */
  private static double maxOfMeans(NavigableMap<Long, Double> points, long endMs) {
    double max = Double.NEGATIVE_INFINITY;
    for (long slotMs = endMs - 50_000; slotMs <= endMs; slotMs += 10_000) {
      double sum = 0;
      for (long fromMs = slotMs - 10_000; fromMs < slotMs; ) {
        Map.Entry<Long, Double> next = points.higherEntry(fromMs);
        long toMs = Math.min(next.getKey(), slotMs);
        sum += next.getValue() * (toMs - fromMs);
        fromMs = toMs;
      }
      max = Math.max(max, sum / 10_000);
    }
    return max;
  }
}
