package dev.rondo.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.local.state.HttpProbe;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./rondo policies prune} on a complete Rondo whose policies were resized, removed and
 * renamed. There is one point per minute; its value, the minute, is also that of the slots up to
 * it.
 *
 * <pre>
 * minute   0 ── version 1 ── 60 ──────── version 2 ──────── 520 ── 1, 2, 1 … and pruning ── 570
 * </pre>
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class PruneIT {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final int SERIES = 4;
  private static final String POLICY =
      "  - {name: %1$s, match: '^%2$s', step: 10s, heartbeat: 1h, archives: [%3$s]}%n";
  private static final String FIRST =
      "policies:%n".formatted()
          + POLICY.formatted("resized", "resized", "'10s:15m', '1m:1d'")
          + POLICY.formatted("gone", "gone", "'10s:15m', '1m:1h'")
          + POLICY.formatted("former", "renamed", "'10s:15m', '5m:1d'")
          + POLICY.formatted("short", "short", "'10s:15m'");
  private static final String SECOND =
      "policies:%n".formatted()
          + POLICY.formatted("resized", "resized", "'10s:30m', '1m:1d'")
          + POLICY.formatted("renamed", "renamed", "'10s:15m', '5m:1d'")
          + POLICY.formatted("long", "short", "'1m:1d'");

  private final long base = Instant.now().getEpochSecond() / 3600 * 3600 - 36_000;

  @TempDir static Path temporary;
  private RondoScript rondo;
  private String api;
  private String kafka;
  private PostgresUrl postgres;
  private int version = 1;
  private List<String> answered;

  @BeforeAll
  void up() throws Exception {
    Path policies = Files.writeString(temporary.resolve("policies.yaml"), FIRST);
    Path sources =
        Files.writeString(
            temporary.resolve("sources.yaml"),
            "sources: [{topic: points, format: graphite, keyed: true}]");
    rondo = new RondoScript(temporary.resolve("data"));
    rondo.up(
        "--no-host-metrics", "--no-own-metrics", "--policies=" + policies, "--sources=" + sources);
    var status = rondo.status();
    api = status.get("api").asText();
    kafka = status.get("kafka").asText();
    postgres = PostgresUrl.parse(status.get("postgres").asText());
    keepRecordTimes();
    publish(0, 60, "resized", "gone", "renamed", "short");
    awaitStored(60, "resized", "gone", "renamed", "short");
    apply(SECOND);
    publish(61, 520, "resized", "gone", "renamed", "short");
    awaitStored(520, "resized", "renamed", "short");
    await() // the fill adds slots that the former archives have, and prune would remove
        .atMost(BOUND)
        .until(
            () ->
                query("select from location_period where policy = 'long' and fill = 'done'").size()
                    == SERIES);
  }

  @AfterAll
  void down() throws Exception {
    rondo.run("down", "--wipe");
  }

  @Test
  @Order(1)
  void shouldOnlyCountRowsInADryRun() throws Exception {
    answered = answers();
    List<String> stored = stored();
    String announced = prune("would remove ", "--dry-run");
    assertThat(stored()).isEqualTo(stored);

    assertThat(prune("removed ")).isEqualTo(announced);
    long rows = Long.parseLong(announced.substring(0, announced.indexOf(' ')));
    assertThat(rows).isPositive();
    assertThat(stored.size() - stored().size()).isEqualTo(rows);
    assertThat(answers()).isEqualTo(answered);
    assertThat(archives())
        .containsExactlyInAnyOrder(
            "resized 10 180",
            "resized 60 1440",
            "gone 10 90", // series live there: its archives stay, without rows
            "gone 60 60",
            "former 300 288", // reaches back to the time of the former policy
            "renamed 10 90",
            "renamed 300 288",
            "long 60 1440");
    assertThat(query("select policy from location_period where ends_at < 'infinity'"))
        .hasSize(2 * SERIES)
        .containsOnly("former", "long"); // what was copied to long is a period there
    assertThat(query("select from ts join rra_bundle on id = rra_bundle_id where policy = 'gone'"))
        .isEmpty();
  }

  @Test
  @Order(2)
  void shouldRemoveNothingTwice() throws Exception {
    assertThat(prune("removed ")).isEqualTo("0 rows (0.0 MB), 0 archives, 0 location periods");
  }

  /** Removed archives return while the sink remembers them, and are removed again. */
  @Test
  @Order(3)
  void shouldNotChangeAnswersUnderLoadWhilePoliciesChange() throws Exception {
    var load =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int round = 0; round < 5; round++) {
                  apply(round % 2 == 0 ? FIRST : SECOND);
                  publish(521 + 10 * round, 530 + 10 * round, "resized", "renamed", "short");
                  awaitStored(530 + 10 * round, "resized", "renamed", "short");
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    int runs = 0;
    while (!load.isDone()) {
      prune("removed ", "--older-than=0s");
      runs++;
    }
    load.get();
    assertThat(runs).isGreaterThan(2);
    assertThat(
            query(
                """
                select ident, tv.step_ms, t, r from ds join tv on tv.ds_id = ds.id
                where tv.step_ms <= 60000 and r <> ceil((extract(epoch from t) - %d) / 60)
                """
                    .formatted(base)))
        .as("slots with another value")
        .isEmpty();
    assertThat(
            query(
                """
                select ident ->> 'name', tv.step_ms / 1000, count(distinct t)
                from ds join tv on tv.ds_id = ds.id
                where r is not null and (ident ->> 'name', tv.step_ms) in (('resized.0', 60000), ('renamed.0', 300000))
                group by 1, 2 order by 1
                """))
        .as("known slots since the first point")
        .containsExactly("renamed.0 300 114", "resized.0 60 570");
  }

  private void apply(String policies) throws Exception {
    Path file = Files.writeString(temporary.resolve("next.yaml"), policies);
    var apply = rondo.run(List.of("policies", "apply"), file.toString());
    assertThat(apply.exitCode()).as(apply.output()).isZero();
    version++;
    String topology = rondo.status().get("topology").asText();
    await("version %d of the policies".formatted(version))
        .atMost(BOUND)
        .until(
            () ->
                HttpProbe.get(topology + "/metrics")
                    .lines()
                    .filter(line -> line.startsWith("rondo_consolidate_policy_version{"))
                    .allMatch(line -> line.endsWith(" " + version + ".0")));
  }

  /** Returns the output of the command. */
  private String prune(String done, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    if (all.stream().noneMatch(option -> option.startsWith("--older-than"))) {
      all.add("--older-than=1h");
    }
    var prune = rondo.run(List.of("policies", "prune"), all.toArray(String[]::new));
    assertThat(prune.exitCode()).as(prune.output()).isZero();
    var said = Pattern.compile("^" + done + "(.*)$", Pattern.MULTILINE).matcher(prune.output());
    assertThat(said.find()).as(prune.output()).isTrue();
    return said.group(1);
  }

  /** Points too old for every archive when their record was written would be dropped. */
  private void keepRecordTimes() throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", kafka))) {
      var entry = new ConfigEntry("message.timestamp.type", "CreateTime");
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, "points"),
                  List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
  }

  /** Sends a point for each minute and series of the groups, in order, in records with its time. */
  private void publish(int from, int to, String... groups) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", kafka, "linger.ms", 20);
    List<Future<?>> sent = new ArrayList<>();
    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      for (int minute = from; minute <= to; minute++) {
        for (String group : groups) {
          for (int n = 0; n < SERIES; n++) {
            String name = group + "." + n;
            long time = base + 60L * minute;
            String line = "%s %d %d".formatted(name, minute, time);
            // Written at their time: points too old for every archive are dropped.
            sent.add(producer.send(new ProducerRecord<>("points", null, time * 1000, name, line)));
          }
        }
      }
    }
    for (Future<?> each : sent) {
      each.get();
    }
  }

  private void awaitStored(int minute, String... groups) {
    for (String group : groups) {
      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(
                          query(
                              """
                              select ds.id from ds join tv on tv.ds_id = ds.id
                              where ident ->> 'name' like '%s.%%' and tv.step_ms <= 60000 and r = %d
                                and t = to_timestamp(%d)
                              """
                                  .formatted(group, minute, base + 60L * minute)))
                      .as("%s at minute %d", group, minute)
                      .hasSizeGreaterThanOrEqualTo(SERIES));
    }
  }

  /** Answers of the query API and of tv; the latter within the spans of the archives. */
  private List<String> answers() throws Exception {
    List<String> answers = new ArrayList<>();
    long now = base + 520 * 60;
    for (String target :
        List.of("*.*", "sumSeries(renamed.*)", "consolidateBy(resized.1,'max')", "gone.*")) {
      for (int back : new int[] {300, 1200, 3600, 20_000, 31_000, 40_000, 200_000}) {
        for (String more : List.of("", "&maxDataPoints=50", "&until=" + (now - back / 2))) {
          String question =
              "/render?format=json&noCache=1&now=%d&from=%d&target=%s%s"
                  .formatted(now, now - back, URLEncoder.encode(target, UTF_8), more);
          answers.add(question + " " + HttpProbe.get(api + question));
        }
      }
    }
    answers.addAll(
        query(
            """
            select ds_id, rra_bundle_id, t, r from tv join rra_bundle on rra_bundle.id = rra_bundle_id
            where t > to_timestamp(%d) - size * rra_bundle.step_ms * interval '1 ms' order by 1, 2, 3, 4
            """
                .formatted(now)));
    return answers;
  }

  private List<String> archives() throws SQLException {
    return query("select policy || ' ' || step_ms / 1000 || ' ' || size from rra_bundle");
  }

  private List<String> stored() throws SQLException {
    return query("select rra_bundle_id, seg, i, t, dp from ts order by 1, 2, 3");
  }

  private List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
        var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        var row = new StringBuilder();
        for (int c = 1; c <= columns; c++) {
          row.append(c == 1 ? "" : " ").append(result.getString(c));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }
}
