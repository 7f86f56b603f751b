package dev.rondo.tools.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.TopologyProcess;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.replay.Replays;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Series of a running topology, some of a keyed source, are listed, counted, deleted and renamed.
 */
class SeriesIT {
  private static final int SERIES = 40;
  private static final int PARTITIONS = 4;
  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final String POLICIES =
      """
      policies:
        - {name: all, match: '.*', step: 1s, heartbeat: 1h, archives: ["1s:2h"]}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final long beginS = System.currentTimeMillis() / 1000 - 600;
  private KafkaBroker kafka;
  private Producer<byte[], byte[]> producer;
  private TopologyProcess topology;
  private Path settings;

  @BeforeEach
  void start() throws Exception {
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            sources:
              - {topic: points, format: graphite}
              - {topic: keyed, format: graphite, keyed: true}
            """);
    Path folder = Files.createDirectories(dir.resolve("topology"));
    topology =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("sources.file", sources)
            .set("sources.create", true)
            .set("partitions", PARTITIONS)
            .set("policies.file", Files.writeString(dir.resolve("policies.yaml"), POLICIES));
    topology.start();
    settings = folder.resolve("topology.properties");
    for (int n = 0; n < SERIES; n++) {
      send(ident(n), beginS, beginS + 1, beginS + 2);
    }
    awaitSeries(SERIES);
  }

  @AfterEach
  void stop() {
    topology.close();
    producer.close();
    kafka.close();
  }

  /** Every second one is of the keyed source; half of each are tagged. */
  private static String ident(int n) {
    return n % 4 < 2 ? "app.s%d.load".formatted(n) : "load;host=web%d".formatted(n);
  }

  @Test
  void shouldListAndCount() throws Exception {
    send(ident(0), beginS + 100);
    assertThat(run("list", "app.s{0,1}.*", "--newest").printed().lines())
        .hasSize(3)
        .anyMatch(
            line -> line.matches("app.s1.load +all +keyed +\\d+:\\d+ +" + iso(0) + " +" + iso(2)));
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(run("list", "app.s0.*", "--newest").printed())
                    .containsPattern(
                        "app.s0.load +all +points +\\d+:\\d+ +" + iso(0) + " +" + iso(100)));
    assertThat(run("list", "host=~web1").printed()).hasLineCount(7);
    assertThat(run("top", "--by=policy").printed()).contains("40 series", "40      all");
    assertThat(run("top", "--by=source", "--new-since=1h").printed())
        .contains("40 series", "20      keyed", "20      points");
    assertThat(run("top", "--source=keyed", "--new-since=1h").printed())
        .startsWith("20 series of keyed since 1h")
        .contains("10      app.*", "10      load");
    assertThat(run("top", "--source=other").printed())
        .isEqualToIgnoringNewLines("0 series of other");
    for (String source : List.of("points", "keyed")) {
      String of = "{source=\"" + source + "\"}";
      assertThat(topology.metric("rondo_consolidate_series_by_source" + of)).isEqualTo(20);
      assertThat(topology.metric("rondo_consolidate_new_by_source_total" + of)).isEqualTo(20);
    }
    assertThat(run("top").printed()).contains("20      app.*", "20      load");
    assertThat(run("top", "--by=label").printed()).contains("20      20      host");
    assertThat(run("top", "--new-since=1m").printed()).startsWith("0 series since 1m");
    assertThat(run("top", "--new-since=1h").printed()).startsWith("40 series since 1h");
  }

  private String iso(int seconds) {
    return Instant.ofEpochSecond(beginS + seconds).toString();
  }

  @Test
  void shouldDelete() throws Exception {
    assertThat(run("delete", "app.**", "--dry-run").printed())
        .contains("20 series: app.s0.load, ", "nothing was deleted (--dry-run)");
    assertThat(run("delete", "app.**").errors()).contains("nothing was deleted", "(--yes)");
    assertThat(known()).hasSize(SERIES);

    CommandRun run = run("delete", "app.**", "--yes");
    assertThat(run.errors()).isEmpty();
    assertThat(run.printed()).contains("20 series: ", "deleted 20 series in ");
    assertThat(run("list", "app.**").printed()).hasLineCount(1);
    assertThat(Files.readString(dir.resolve("topology/topology.log")))
        .containsPattern("deletion of 20 series requested by .*@.*: series delete app.\\*\\* at ")
        .containsPattern("partition \\d: deleted \\d+ series, requested by ");

    topology.kill();
    topology.start();
    assertThat(known()).hasSize(SERIES / 2);
    long nowS = System.currentTimeMillis() / 1000 + 2;
    send(ident(0), beginS + 5, nowS);
    send(ident(1), beginS + 5, nowS);
    awaitSeries(SERIES / 2 + 2);
    assertThat(topology.dropped("deleted")).isEqualTo(2);
    assertThat(known().get(ident(0)).firstMs()).isEqualTo(nowS * 1000);
    assertThat(known().get(ident(1)).firstMs()).isEqualTo(nowS * 1000);
  }

  @Test
  void shouldRename() throws Exception {
    assertThat(run("rename", "app.s0.load", "new.s0", "--dry-run").printed())
        .contains("1 series:", "app.s0.load -> new.s0", "nothing was renamed (--dry-run)");
    assertThat(run("rename", "none", "new").errors())
        .contains("nothing was renamed: no series none");
    assertThat(run("rename", "app.s0.load", "a..b", "--yes").errors())
        .contains("no series can be called 'a..b': it would be 'a.b'");
    assertThat(run("rename", "app.s0.load", "app.s1.load", "--dry-run").printed())
        .contains("1 older than the old series (whose points are lost): app.s1.load");
    assertThat(known()).hasSize(SERIES);

    CommandRun run = run("rename", "app.*.load", "host.*.load", "--yes");
    assertThat(run.errors()).isEmpty();
    assertThat(run.printed())
        .contains("20 series:", "app.s0.load -> host.s0.load", "renamed 20 series in ")
        .contains("20 not sent yet (cannot be deleted before a first point): host.s0.load, ");
    assertThat(run("list", "app.**").printed()).hasLineCount(1);
    assertThat(Files.readString(dir.resolve("topology/topology.log")))
        .containsPattern("renaming of 20 series requested by .*@.*: series rename app\\.")
        .containsPattern("partition \\d: renamed \\d+ series, requested by ");

    topology.kill();
    topology.start();
    long nowS = System.currentTimeMillis() / 1000 + 2;
    send(ident(0), beginS + 5, nowS);
    send("host.s1.load", nowS);
    awaitSeries(SERIES / 2 + 2);
    assertThat(topology.dropped("deleted")).isEqualTo(1);
    assertThat(known().get(ident(0)).firstMs()).isEqualTo(nowS * 1000);
  }

  /** The request is a record that any producer may write. */
  @Test
  void shouldDeleteWhatWasRequestedWhileItWasDown() throws Exception {
    topology.kill();
    request("{\"by\": \"me\", \"series\": [\"app.s0.load\", \"app.s1.load\", \"load;host=web2\"]}");
    request("not JSON");
    request("{\"series\": [\"load;host=web3\", \"none\"]}");
    topology.start();
    awaitSeries(SERIES - 4);
    assertThat(Files.readString(dir.resolve("topology/topology.log")))
        .contains("ignored the request at rondo.deletions-0@1: not JSON: ");
  }

  @Test
  void shouldNotResurrectThemByAReplay() throws Exception {
    assertThat(run("delete", "app.**", "--yes").code()).isZero();
    long nowS = System.currentTimeMillis() / 1000 + 2;
    send(ident(0), nowS);
    awaitSeries(SERIES / 2 + 1);
    topology.close();
    Replays.toEarliest(settings, "points", "keyed");
    topology.start();
    await().atMost(BOUND).until(() -> topology.dropped("deleted") == 3 * SERIES / 2);
    assertThat(known()).hasSize(SERIES / 2 + 1);
    await()
        .atMost(BOUND)
        .until(() -> topology.metric("rondo_consolidate_points_total") >= 3 * SERIES / 2 + 1);
    assertThat(known().get(ident(0)).firstMs()).isEqualTo(nowS * 1000);
    assertThat(topology.metric("rondo_consolidate_deleted_total")).isZero();
  }

  @Test
  void shouldDeleteSilentSeries() throws Exception {
    long nowS = System.currentTimeMillis() / 1000;
    for (int n = 0; n < SERIES; n += 4) {
      send(ident(n), nowS);
    }
    await()
        .atMost(BOUND)
        .until(() -> topology.metric("rondo_consolidate_points_total") == 3 * SERIES + SERIES / 4);
    await()
        .atMost(BOUND)
        .untilAsserted(
            () ->
                assertThat(run("delete", "--silent-since=5m", "--dry-run").printed())
                    .startsWith("30 series: "));
    assertThat(run("delete", "--silent-since=5m", "--yes").printed()).contains("deleted 30 series");
    assertThat(known().keySet()).isEqualTo(everyFourth());
  }

  private static Set<String> everyFourth() {
    Set<String> idents = new HashSet<>();
    for (int n = 0; n < SERIES; n += 4) {
      idents.add(ident(n));
    }
    return idents;
  }

  private void awaitSeries(int count) {
    await().atMost(BOUND).untilAsserted(() -> assertThat(known()).hasSize(count));
  }

  private Map<String, KnownSeries.Series> known() throws Exception {
    return KnownSeries.read(TopologyConfig.read(Optional.of(settings), Map.of()), ident -> true);
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config=" + settings);
    return CommandRun.of(SeriesCommand.commandLine(), all.toArray(String[]::new));
  }

  private void request(String json) throws Exception {
    publish("rondo.deletions", 0, json);
  }

  /** Sends points of a series to the topic that has it. */
  private void send(String ident, long... seconds) throws Exception {
    int n = Integer.parseInt(ident.replaceAll("\\D", ""));
    for (long tS : seconds) {
      publish(n % 2 == 0 ? "points" : "keyed", n % PARTITIONS, ident + " 1 " + tS + "\n");
    }
  }

  private void publish(String topic, int partition, String text) throws Exception {
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
  }
}
