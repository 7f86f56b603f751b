package dev.rondo.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.embedded.TopologyProcess;
import dev.rondo.history.replay.Replays;
import dev.rondo.testbed.KafkaSpace;
import dev.rondo.testbed.TestBed;
import dev.rondo.tools.command.CommandRun;
import dev.rondo.tools.command.Commands;
import dev.rondo.tools.series.KnownSeries;
import dev.rondo.tools.series.SeriesCommand;
import dev.rondo.topology.config.TopologyConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Series of a running topology, some of a keyed source, are listed, counted, deleted and renamed.
 * The first tests count all series; the last ones add groups of their own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SeriesIT {
  private static final int SERIES = 40;
  private static final int PARTITIONS = 4;
  private static final String POLICIES =
      """
      policies:
        - {name: all, match: '.*', step: 1s, heartbeat: 1h, archives: ["1s:2h"]}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path dir;

  private final long beginS = System.currentTimeMillis() / 1000 - 600;
  private final KafkaSpace kafka = TestBed.kafka();
  private final String points = kafka.source("points");
  private final String keyed = kafka.source("keyed");
  private Producer<byte[], byte[]> producer;
  private TopologyProcess topology;
  private Path settings;

  @BeforeAll
  void start() throws Exception {
    producer =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer());
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            sources:
              - {topic: %s, format: graphite}
              - {topic: %s, format: graphite, keyed: true}
            """
                .formatted(points, keyed));
    Path folder = Files.createDirectories(dir.resolve("topology"));
    topology =
        new TopologyProcess(folder, kafka.bootstrap())
            .set("rondo.prefix", kafka.prefix())
            .set("sources.file", sources)
            .set("sources.create", true)
            .set("partitions", PARTITIONS)
            .set("policies.file", Files.writeString(dir.resolve("policies.yaml"), POLICIES));
    topology.start();
    settings = topology.settings();
    sendSeries("app");
  }

  @AfterAll
  void stop() {
    topology.close();
    producer.close();
  }

  /** The series of a group, with three points each. */
  private void sendSeries(String group) throws Exception {
    for (int n = 0; n < SERIES; n++) {
      send(ident(group, n), beginS, beginS + 1, beginS + 2);
    }
    awaitSeries(group, SERIES);
  }

  /** Every second one is of the keyed source; half of each are tagged. */
  private static String ident(String group, int n) {
    return n % 4 < 2
        ? "%s.s%d.load".formatted(group, n)
        : "load;group=%s;host=web%d".formatted(group, n);
  }

  @Test
  @Order(1)
  void shouldListAndCount() throws Exception {
    send(ident("app", 0), beginS + 100);
    assertThat(run("list", "app.s{0,1}.*", "--newest").printed().lines())
        .hasSize(3)
        .anyMatch(
            line ->
                line.matches(
                    "app.s1.load +all +" + keyed + " +\\d+:\\d+ +" + iso(0) + " +" + iso(2)));
    await("newest slot")
        .untilAsserted(
            () ->
                assertThat(run("list", "app.s0.*", "--newest").printed())
                    .containsPattern(
                        "app.s0.load +all +"
                            + points
                            + " +\\d+:\\d+ +"
                            + iso(0)
                            + " +"
                            + iso(100)));
    assertThat(run("list", "host=~web1").printed()).hasLineCount(7);
    assertThat(run("top", "--by=policy").printed()).contains("40 series", "40      all");
    assertThat(run("top", "--by=source", "--new-since=1h").printed())
        .contains("40 series", "20      " + keyed, "20      " + points);
    assertThat(run("top", "--source=" + keyed, "--new-since=1h").printed())
        .startsWith("20 series of " + keyed + " since 1h")
        .contains("10      app.*", "10      load");
    assertThat(run("top", "--source=other").printed())
        .isEqualToIgnoringNewLines("0 series of other");
    for (String source : List.of(points, keyed)) {
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
  @Order(2)
  void shouldNotResurrectThemByAReplay() throws Exception {
    String first = ident("app", 0);
    assertThat(run("delete", "app.**", "--yes").code()).isZero();
    long nowS = System.currentTimeMillis() / 1000 + 2;
    send(first, nowS);
    awaitSeries("app", SERIES / 2 + 1);
    topology.close();
    Replays.toEarliest(settings, points, keyed);
    topology.start();
    await("points of the replay")
        .untilAsserted(
            () -> {
              assertThat(topology.dropped("deleted")).isEqualTo(3 * SERIES / 2 + 1);
              assertThat(topology.metric("rondo_consolidate_points_total"))
                  .isGreaterThanOrEqualTo(3 * SERIES / 2 + 1);
            });
    assertThat(known("app")).hasSize(SERIES / 2 + 1);
    assertThat(known("app").get(first).firstMs()).isEqualTo(nowS * 1000);
    assertThat(topology.metric("rondo_consolidate_deleted_total")).isZero();
  }

  @Test
  @Order(3)
  void shouldDeleteSilentSeries() throws Exception {
    long nowS = System.currentTimeMillis() / 1000;
    Set<String> live = new HashSet<>(Set.of(ident("app", 0)));
    for (int n = 2; n < SERIES; n += 4) {
      live.add(ident("app", n));
      send(ident("app", n), nowS);
    }
    await("rows of the live series")
        .untilAsserted(
            () ->
                assertThat(run("delete", "--silent-since=5m", "--dry-run").printed())
                    .startsWith("10 series: "));
    assertThat(run("delete", "--silent-since=5m", "--yes").printed()).contains("deleted 10 series");
    assertThat(known("app").keySet()).isEqualTo(live);
  }

  @Test
  @Order(4)
  void shouldKeepWhatWasRequestedBeforeAndWhileItWasDown() throws Exception {
    sendSeries("del");
    sendSeries("old");
    sendSeries("down");
    shouldDelete();
    shouldRename();
    topology.kill();
    // the request is a record that any producer may write
    request("{\"by\": \"me\", \"series\": [\"down.s0.load\", \"%s\"]}".formatted(ident("down", 2)));
    request("not JSON");
    request("{\"series\": [\"down.s1.load\", \"%s\", \"none\"]}".formatted(ident("down", 3)));
    topology.start();

    assertThat(known("del")).hasSize(SERIES / 2);
    long nowS = System.currentTimeMillis() / 1000 + 2;
    send(ident("del", 0), beginS + 5, nowS);
    send(ident("del", 1), beginS + 5, nowS);
    awaitSeries("del", SERIES / 2 + 2);
    assertThat(topology.dropped("deleted")).isEqualTo(2);
    assertThat(known("del").get(ident("del", 0)).firstMs()).isEqualTo(nowS * 1000);
    assertThat(known("del").get(ident("del", 1)).firstMs()).isEqualTo(nowS * 1000);

    send(ident("old", 0), beginS + 5, nowS);
    send("new.s1.load", nowS);
    awaitSeries("old", SERIES / 2 + 1);
    awaitSeries("new", 1);
    assertThat(topology.dropped("deleted")).isEqualTo(3);
    assertThat(known("old").get(ident("old", 0)).firstMs()).isEqualTo(nowS * 1000);

    awaitSeries("down", SERIES - 4);
    assertThat(dir.resolve("topology/topology.log"))
        .content()
        .containsPattern(
            "ignored the request at " + kafka.topic("series-requests") + "-0@\\d+: not JSON: ");
  }

  private void shouldDelete() throws Exception {
    assertThat(run("delete", "del.**", "--dry-run").printed())
        .contains("20 series: del.s0.load, ", "nothing was deleted (--dry-run)");
    assertThat(run("delete", "del.**").errors()).contains("nothing was deleted", "(--yes)");
    assertThat(known("del")).hasSize(SERIES);

    CommandRun run = run("delete", "del.**", "--yes");
    assertThat(run.errors()).isEmpty();
    assertThat(run.printed()).contains("20 series: ", "deleted 20 series in ");
    assertThat(run("list", "del.**").printed()).hasLineCount(1);
    assertThat(Files.readString(dir.resolve("topology/topology.log")))
        .containsPattern("deletion of 20 series requested by .*@.*: series delete del.\\*\\* at ")
        .containsPattern("partition \\d: deleted \\d+ series, requested by ");
  }

  private void shouldRename() throws Exception {
    assertThat(run("rename", "old.s0.load", "new.s0", "--dry-run").printed())
        .contains("1 series:", "old.s0.load -> new.s0", "nothing was renamed (--dry-run)");
    assertThat(run("rename", "none", "new").errors())
        .contains("nothing was renamed: no series none");
    assertThat(run("rename", "old.s0.load", "a..b", "--yes").errors())
        .contains("no series can be called 'a..b': it would be 'a.b'");
    assertThat(run("rename", "old.s0.load", "old.s1.load", "--dry-run").printed())
        .contains("1 older than the old series (whose points are lost): old.s1.load");
    assertThat(known("old")).hasSize(SERIES);

    CommandRun run = run("rename", "old.*.load", "new.*.load", "--yes");
    assertThat(run.errors()).isEmpty();
    assertThat(run.printed())
        .contains("20 series:", "old.s0.load -> new.s0.load", "renamed 20 series in ")
        .contains("20 not sent yet (cannot be deleted before a first point): new.s0.load, ");
    assertThat(run("list", "old.**").printed()).hasLineCount(1);
    assertThat(Files.readString(dir.resolve("topology/topology.log")))
        .containsPattern("renaming of 20 series requested by .*@.*: series rename old\\.")
        .containsPattern("partition \\d: renamed \\d+ series, requested by ");
  }

  private void awaitSeries(String group, int count) {
    await("series of " + group).untilAsserted(() -> assertThat(known(group)).hasSize(count));
  }

  private Map<String, KnownSeries.Series> known(String group) throws Exception {
    Pattern ofGroup = Pattern.compile("(load;group=)?%s[.;].*".formatted(group));
    return KnownSeries.read(
        TopologyConfig.read(Optional.of(settings), Map.of()),
        ident -> ofGroup.matcher(ident).matches());
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config=" + settings);
    return CommandRun.of(Commands.commandLine(new SeriesCommand()), all.toArray(String[]::new));
  }

  private void request(String json) throws Exception {
    publish(kafka.topic("series-requests"), 0, json);
  }

  /** Sends points of a series to the topic that has it. */
  private void send(String ident, long... seconds) throws Exception {
    int n = Integer.parseInt(ident.replaceAll("\\D", ""));
    for (long tS : seconds) {
      publish(n % 2 == 0 ? points : keyed, n % PARTITIONS, ident + " 1 " + tS + "\n");
    }
  }

  private void publish(String topic, int partition, String text) throws Exception {
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>(topic, partition, null, value)).get();
  }
}
