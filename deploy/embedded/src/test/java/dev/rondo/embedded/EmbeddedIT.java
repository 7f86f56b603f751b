package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes: data acknowledged before SIGKILL exist after the next start. */
class EmbeddedIT {
  @TempDir Path dir;

  @Test
  void shouldKeepRowsOfKilledPostgres() throws Exception {
    try (var server = PostgresServer.start(dir, 0)) {
      execute(server, "create table kept (n int)", "insert into kept values (42)");
      server.kill();
      assertThat(server.process().isAlive()).isFalse();
    }
    ProcessHandle process;
    try (var server = PostgresServer.start(dir, 0)) {
      process = server.process();
      try (var connection = DriverManager.getConnection(server.jdbcUrl());
          var statement = connection.createStatement();
          var kept = statement.executeQuery("select n from kept")) {
        assertThat(kept.next()).isTrue();
        assertThat(kept.getInt(1)).isEqualTo(42);
      }
    }
    assertThat(process.isAlive()).isFalse();
  }

  /** A superuser of the database can run programs as the server's user, which must not be root. */
  @Test
  void shouldLeaveNoCapabilityToPostgres() throws Exception {
    assumeTrue(RunAs.isRoot(), "only root has capabilities to leave");
    Path folder = Files.createDirectories(dir.resolve("private"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    try (var server = PostgresServer.start(folder.resolve("postgres"), 0)) {
      assertThat(Files.readAllLines(Path.of("/proc/%d/status".formatted(server.process().pid()))))
          .filteredOn(line -> line.startsWith("Cap"))
          .hasSize(5)
          .allMatch(line -> line.matches("Cap\\w+:\\s+0+"), "no capability");
      assertThat(Files.getPosixFilePermissions(folder))
          .doesNotContain(PosixFilePermission.OTHERS_EXECUTE, PosixFilePermission.GROUP_READ);
    }
  }

  /** Root's home remains closed to the server's user. */
  @Test
  void shouldKeepFilesOutsideOfTheHomeOfRoot() throws Exception {
    assumeTrue(RunAs.isRoot(), "only root's server is another user");
    String home = System.getProperty("user.home");
    Path closed = Files.createDirectories(dir.resolve("root"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    System.setProperty("user.home", closed.toString());
    Path postgres = closed.resolve("rondo/postgres");
    try {
      for (String statement : List.of("create table kept (n int)", "select n from kept")) {
        try (var server = PostgresServer.start(postgres, 0)) {
          execute(server, statement);
        }
      }
      Path elsewhere = postgres.resolve("data").toRealPath();
      assertThat(elsewhere).exists().hasParentRaw(Path.of("/var/lib/rondo"));
      assertThat(Files.getPosixFilePermissions(closed))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));

      PostgresServer.deleteElsewhere(postgres);

      assertThat(elsewhere).doesNotExist();
    } finally {
      System.setProperty("user.home", home);
    }
  }

  @Test
  @Tag("long")
  void shouldRequireThePasswordOnceItIsSet() throws Exception {
    try (var server = PostgresServer.start(dir, 0)) {
      execute(server, "create role guest login");
    }
    for (String password : List.of("first1", "second2")) {
      Launch launch = Launch.to(dir.resolve("postgres.log"));
      try (var server = PostgresServer.start(dir, 0, launch, password)) {
        DriverManager.getConnection(server.jdbcUrl() + "&password=" + password).close();
        assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl() + "&password=x"))
            .hasMessageContaining("password authentication failed");
        String guest = server.jdbcUrl().replace("user=rondo", "user=guest&password=x");
        assertThatThrownBy(() -> DriverManager.getConnection(guest))
            .hasMessageContaining("password authentication failed");
      }
    }
  }

  @Test
  @Tag("long")
  void shouldKeepRecordsOfKilledBroker() throws Exception {
    int port = FreePort.choose(); // kept, as rondo does
    try (var broker = KafkaBroker.start(dir, port)) {
      try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
        NewTopics.create(admin, List.of(new NewTopic("kept", 1, (short) 1)));
      }
      send(broker, "kept", "42");
      broker.kill();
      assertThat(broker.process().isAlive()).isFalse();
    }
    ProcessHandle process;
    try (var broker = KafkaBroker.start(dir, port)) {
      process = broker.process();
      assertThat(firstValue(broker, "kept")).isEqualTo("42");
    }
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  @Tag("long")
  void shouldStartConnectWorker() throws Exception {
    try (var broker = KafkaBroker.start(dir, 0);
        var worker = ConnectWorker.start(dir, 0, broker.bootstrap(), dir);
        var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      assertThat(worker.process().isAlive()).isTrue();
      assertThat(admin.listTopics().names().get())
          .contains("rondo-connect-offset", "rondo-connect-config", "rondo-connect-status");
    }
  }

  @Test
  void shouldNameTakenPort() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> PostgresServer.start(dir, taken.getLocalPort()))
          .hasMessageContaining("port " + taken.getLocalPort() + " of 127.0.0.1 is taken");
    }
  }

  @Test
  @Tag("long")
  void shouldExplainWhyPostgresDidNotStart() throws Exception {
    PostgresServer.start(dir, 0).close();
    Files.writeString(dir.resolve("data/postgresql.conf"), "no_such_setting = 1");

    assertThatThrownBy(() -> PostgresServer.start(dir, 0))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("postgres ended with exit code 1")
        .hasMessageContaining("no_such_setting");
  }

  private static void execute(PostgresServer server, String... statements) throws Exception {
    try (var connection = DriverManager.getConnection(server.jdbcUrl());
        var statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static void send(KafkaBroker broker, String topic, String value) throws Exception {
    Map<String, Object> config =
        Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", "kept");
    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, value)).get(2, TimeUnit.MINUTES);
      producer.commitTransaction();
    }
  }

  private static String firstValue(KafkaBroker broker, String topic) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", broker.bootstrap(), "isolation.level", "read_committed");
    try (var consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      var partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      return await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> consumer.poll(Duration.ofMillis(200)), polled -> !polled.isEmpty())
          .iterator()
          .next()
          .value();
    }
  }
}
