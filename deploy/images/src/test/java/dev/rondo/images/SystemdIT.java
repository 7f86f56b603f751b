package dev.rondo.images;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.PostgresServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/how-to/systemd.md on a machine with systemd, and with external Kafka and PostgreSQL.
 */
@Tag("long")
@TestMethodOrder(OrderAnnotation.class)
class SystemdIT {
  private static final Path ROOT = Path.of(System.getProperty("rondo.root"));
  private static final String UNITS = "/etc/systemd/system";
  private static final double MOST_EXPOSED = 3;
  private static final Pattern EXPOSURE = Pattern.compile("exposure level for (\\S+): ([0-9.]+)");
  private static final Duration VISIBLE_BOUND = Duration.ofMinutes(2);

  /** Services of the page, except instances of the topology. */
  private static final List<String> SERVICES =
      List.of("rondo-api", "rondo-fill", "rondo-connect", "rondo-host-collector");

  @TempDir static Path dir;
  private static KafkaBroker kafka;
  private static PostgresServer postgres;
  private static Machine machine;
  private static HowTo page;

  /** Changes of a reader to files and commands: addresses, and a cluster of one broker. */
  private static final Map<String, String> CHANGES = new LinkedHashMap<>();

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Machine.missing().isEmpty(), Machine.missing());
    Release.make();
    page = HowTo.read(ROOT.resolve("docs/how-to/systemd.md"));
    kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    postgres = PostgresServer.start(dir.resolve("postgres"), 0);
    execute(
        "create role owner login createrole password 'secret'", "create database shop owner owner");
    change("127.0.0.1:9092", kafka.bootstrap());
    change("127.0.0.1:5432/rondo", "127.0.0.1:" + postgres.port() + "/shop");
    List.of("8888", "8889", "8890", "8083")
        .forEach(port -> change(port, Integer.toString(FreePort.choose())));
    change("replication.factor=3", "replication.factor=1");
    change("change-me", "secret");
    change("0.1.0", Release.VERSION);
    machine = Machine.boot(dir, Release.file(""), kafkaRelease());
  }

  @AfterAll
  static void stop() {
    if (machine != null) {
      machine.close();
      postgres.close();
      kafka.close();
    }
  }

  @Test
  @Order(1)
  void shouldInstall() {
    machine.run(changed(page.with("tar -xzf")));

    var edit = new StringBuilder("sed -i");
    CHANGES.forEach((from, to) -> edit.append(" -e 's|%s|%s|g'".formatted(from, to)));
    machine.run(edit + " /etc/rondo/*");
    machine.run(
        "echo RONDO_TOPOLOGY_HTTP_PORT=%s >/etc/rondo/topology-1.env"
            .formatted(CHANGES.get("8889")));
    assertThat(machine.run("stat -c '%A %U %G' /etc/rondo/api.env"))
        .isEqualTo("-rw-r----- root rondo");
  }

  @Test
  @Order(2)
  void shouldBeVerifiedAndHardened() {
    assertThat(machine.run("systemd-analyze verify %s/rondo-*.service 2>&1".formatted(UNITS)))
        .isEmpty();

    String rated =
        machine.run(
            "cd %s; systemd-analyze security --no-pager --offline=true ./rondo-*.service"
                .formatted(UNITS));
    List<MatchResult> found = EXPOSURE.matcher(rated).results().toList();
    assertThat(found).hasSize(SERVICES.size() + 2);
    for (MatchResult unit : found) {
      assertThat(Double.parseDouble(unit.group(2))).as(unit.group(1)).isLessThan(MOST_EXPOSED);
    }
  }

  @Test
  @Order(3)
  void shouldStoreAndShowPoints() throws Exception {
    machine.run(changed(page.with("start rondo-migrate")));
    execute(
        "create role sink login password 'secret' in role rondo_writer",
        "create role api login password 'secret' in role rondo_reader, rondo_event_writer",
        "create role fill login password 'secret' in role rondo_filler");
    for (String start : List.of("rondo-api rondo-fill", "sink.json", "now rondo-host-collector")) {
      machine.run(changed(page.with(start)));
    }
    machine.run(changed(page.with("/health")));

    await()
        .atMost(VISIBLE_BOUND)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertThat(render("hosts.*.memory.total")).contains("datapoints"));
    assertAllRun("rondo-topology@1");
  }

  @Test
  @Order(4)
  void shouldRunASecondInstance() {
    machine.run(changed(page.with("topology-2.env")));

    awaitHealth(CHANGES.get("8890"));
    assertAllRun("rondo-topology@1", "rondo-topology@2");
  }

  @Test
  @Order(5)
  void shouldNameAnInvalidSettingAndNotRestart() {
    machine.run("echo RONDO_TOPOLOGY_PARTITION=4 >/etc/rondo/topology-3.env");
    machine.run("systemctl start rondo-topology@3");

    await()
        .atMost(VISIBLE_BOUND)
        .until(() -> show("rondo-topology@3").get("ActiveState").equals("failed"));
    assertThat(show("rondo-topology@3"))
        .containsEntry("NRestarts", "0")
        .containsEntry("ExecMainStatus", "2");
    assertThat(machine.run("journalctl --no-pager -u rondo-topology@3"))
        .contains("RONDO_TOPOLOGY_PARTITIONS");
  }

  @Test
  @Order(6)
  void shouldEndCleanly() {
    machine.run("systemctl stop 'rondo-*'");

    for (String unit : running("rondo-topology@1", "rondo-topology@2")) {
      assertThat(show(unit))
          .as(unit)
          .containsEntry("ActiveState", "inactive")
          .containsEntry("Result", "success");
    }
  }

  private static void assertAllRun(String... instances) {
    for (String unit : running(instances)) {
      assertThat(show(unit))
          .as(unit)
          .containsEntry("ActiveState", "active")
          .containsEntry("User", "rondo")
          .containsEntry("NRestarts", "0");
    }
  }

  private static List<String> running(String... instances) {
    return Stream.concat(SERVICES.stream(), Stream.of(instances)).toList();
  }

  private static Map<String, String> show(String unit) {
    return machine
        .run("systemctl show " + unit)
        .lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(words -> words[0], words -> words[1], (one, other) -> other));
  }

  private static void awaitHealth(String port) {
    machine.run(
        "curl --silent --fail --retry 180 --retry-delay 1 --retry-all-errors http://127.0.0.1:%s/health"
            .formatted(port));
  }

  /** Returns the response to a query of the last five minutes. */
  private static String render(String target) {
    return machine.run(
        "curl --silent --fail 'http://127.0.0.1:%s/render?format=json&noNullPoints=true&from=-5min&target=%s'"
            .formatted(CHANGES.get("8888"), target));
  }

  private static void change(String from, String to) {
    CHANGES.put(from, to);
  }

  /** Returns commands of the page with the reader's changes. */
  private static String changed(String commands) {
    String result = commands;
    for (Map.Entry<String, String> each : CHANGES.entrySet()) {
      result = result.replace(each.getKey(), each.getValue());
    }
    return result;
  }

  /**
   * Creates Kafka's script with the tests' worker, because Maven repositories do not contain
   * Kafka's release.
   */
  private static Path kafkaRelease() throws IOException {
    Path release = dir.resolve("kafka-release");
    Path libs = Files.createDirectories(release.resolve("libs"));
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (each.endsWith(".jar")) {
        Path jar = Path.of(each);
        Files.copy(jar, libs.resolve(jar.getFileName()), REPLACE_EXISTING);
      }
    }
    Path script = Files.createDirectory(release.resolve("bin")).resolve("connect-distributed.sh");
    Files.writeString(
        script,
        """
        #!/bin/sh
        exec java $KAFKA_HEAP_OPTS -cp '/opt/kafka/libs/*' org.apache.kafka.connect.cli.ConnectDistributed "$@"
        """);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return release;
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }
}
