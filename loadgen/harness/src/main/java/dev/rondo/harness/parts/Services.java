package dev.rondo.harness.parts;

import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.NewTopics;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.schemas.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.flywaydb.core.Flyway;

/** Broker, PostgreSQL, and the sink in a Connect worker. Each can be killed and restarted. */
public final class Services {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static Services shared;

  private final Path dir;
  private final Path root = Path.of(System.getProperty("rondo.root"));
  private KafkaBroker kafka;
  private PostgresServer postgres;
  private ConnectWorker connect;

  private Services(Path dir) {
    this.dir = dir;
    this.kafka = KafkaBroker.start(dir.resolve("kafka"), 0);
    this.postgres = PostgresServer.start(dir.resolve("postgres"), 0);
  }

  /** The shared services of this JVM; they end with it. */
  public static synchronized Services shared() throws Exception {
    if (shared == null) {
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      Services services = new Services(Files.createTempDirectory(parent, "services-"));
      services.prepare();
      shared = services;
    }
    return shared;
  }

  private void prepare() throws Exception {
    keepInMemory();
    Flyway.configure()
        .dataSource(postgres.jdbcUrl(), "rondo", "")
        .locations("classpath:dev/rondo/schemas/sql")
        .load()
        .migrate();
    for (var topic : List.of(Topics.SERIES, Topics.BUNDLE_ROWS, Topics.DEAD_LETTERS)) {
      createTopic(topic.name(), Instances.PARTITIONS, topic.configs());
    }
    createTopic(Topics.EVENTS.name(), 1, Topics.EVENTS.configs());
    startConnect(0);
    var created =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(connect.url() + "/connectors"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(sink()))
                .build(),
            BodyHandlers.ofString());
    if (created.statusCode() != 201) {
      throw new IOException(
          "Connect answers with status " + created.statusCode() + ": " + created.body());
    }
  }

  /** Only processes crash, not the machine, so PostgreSQL need not wait for the disk. */
  private void keepInMemory() throws SQLException {
    try (var connection = DriverManager.getConnection(postgres.jdbcUrl());
        var statement = connection.createStatement()) {
      statement.execute("alter system set fsync = off");
      statement.execute("select pg_reload_conf()");
    }
  }

  private String sink() {
    return """
        {"name": "sink", "config": {
          "connector.class": "dev.rondo.connect.postgres.PostgresSinkConnector",
          "tasks.max": "2", "topics": "rondo.series,rondo.bundle-rows,rondo.events",
          "key.converter": "dev.rondo.connect.postgres.RondoConverter",
          "value.converter": "dev.rondo.connect.postgres.RondoConverter",
          "connection.url": "%s",
          "consumer.override.isolation.level": "read_committed",
          "consumer.override.max.poll.records": "2000",
          "errors.tolerance": "all",
          "errors.deadletterqueue.topic.name": "rondo.dead-letters",
          "kafka.bootstrap.servers": "%s",
          "errors.deadletterqueue.topic.replication.factor": "1",
          "errors.deadletterqueue.context.headers.enable": "true"}}
        """
        .formatted(postgres.jdbcUrl(), kafka.bootstrap());
  }

  public void createTopic(String name, int partitions, Map<String, String> configs)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      NewTopics.create(admin, List.of(new NewTopic(name, partitions, (short) 1).configs(configs)));
    }
  }

  public String bootstrap() {
    return kafka.bootstrap();
  }

  public String jdbcUrl() {
    return postgres.jdbcUrl();
  }

  public Path dir() {
    return dir;
  }

  /** Root of the checkout under test. */
  public Path root() {
    return root;
  }

  /** SIGKILL, and restart on the same port. */
  public void killBroker() {
    int port = kafka.port();
    kafka.kill();
    kafka = KafkaBroker.start(dir.resolve("kafka"), port);
  }

  /** SIGKILL, and restart on the same port. */
  public void killConnect() {
    int port = connect.port();
    connect.kill();
    startConnect(port);
  }

  /** SIGKILL, and restart on the same port. */
  public void killPostgres() {
    int port = postgres.port();
    postgres.kill();
    postgres = PostgresServer.start(dir.resolve("postgres"), port);
  }

  private void startConnect(int port) {
    connect =
        ConnectWorker.start(
            dir.resolve("connect"),
            port,
            kafka.bootstrap(),
            root.resolve("connectors/postgres-sink/target/plugin"));
  }
}
