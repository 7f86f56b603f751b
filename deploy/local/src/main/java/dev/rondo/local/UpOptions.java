package dev.rondo.local;

import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Installation;
import dev.rondo.local.settings.UserError;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options of {@code rondo up}. */
final class UpOptions {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Data, logs and state (default: .rondo in the clone).")
  Path dir;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      description = "Port of the Kafka broker (default: 9092).")
  Integer kafkaPort;

  @Option(
      names = "--kafka-metrics-port",
      paramLabel = "PORT",
      description = "Port of the Kafka broker's metrics (default: 8085).")
  Integer kafkaMetricsPort;

  @Option(
      names = "--postgres-port",
      paramLabel = "PORT",
      description = "Port of PostgreSQL (default: 5433).")
  Integer postgresPort;

  @Option(
      names = "--connect-port",
      paramLabel = "PORT",
      description = "Port of the Connect worker (default: 8083).")
  Integer connectPort;

  @Option(
      names = "--connect-metrics-port",
      paramLabel = "PORT",
      description = "Port of the Connect worker's and the sink's metrics (default: 8084).")
  Integer connectMetricsPort;

  @Option(
      names = "--api-port",
      paramLabel = "PORT",
      description = "Port of the query API (default: 8888).")
  Integer apiPort;

  @Option(
      names = "--topology-port",
      paramLabel = "PORT",
      description = "Port of the topology's health and metrics (default: 8889).")
  Integer topologyPort;

  @Option(
      names = "--kafka",
      paramLabel = "BOOTSTRAP",
      description = "Use these Kafka brokers, HOST:PORT[,HOST:PORT], instead of starting one.")
  String kafka;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Client settings of the brokers of --kafka, such as ssl.* and sasl.*, for all parts (default:"
              + " RONDO_KAFKA_CONFIG).")
  Path kafkaConfig;

  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description =
          "Use this database, postgresql://USER@HOST:PORT/DATABASE[?passfile=FILE], instead of "
              + "starting one. USER owns the tables. Without a passfile, in libpq's format, the password"
              + " is that of the URL, PGPASSWORD or PGPASSFILE.")
  String postgres;

  @Option(
      names = "--postgres-sink-user",
      paramLabel = "USER",
      description =
          "The sink connects to the database of --postgres as USER, a member of rondo_writer.")
  String postgresSinkUser;

  @Option(
      names = "--postgres-api-user",
      paramLabel = "USER",
      description =
          "The query API connects to the database of --postgres as USER, a member of rondo_reader and"
              + " rondo_event_writer.")
  String postgresApiUser;

  @Option(
      names = "--postgres-fill-user",
      paramLabel = "USER",
      description =
          "New archives in the database of --postgres are filled as USER, a member of rondo_filler.")
  String postgresFillUser;

  @Option(
      names = "--token",
      description =
          "Make the query API require the token in DIR/api-token, which is created if it is"
              + " missing.")
  boolean token;

  @Option(
      names = "--sources",
      paramLabel = "FILE",
      description =
          "Topics to read, and their formats (default: DIR/sources.yaml if it exists, else the topic"
              + " points in any format).")
  Path sources;

  @Option(
      names = "--policies",
      paramLabel = "FILE",
      description =
          "Policies (default: DIR/policies.yaml if it exists, else every series at 10s:6h, 1m:7d"
              + " and 1h:1y).")
  Path policies;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "Settings of the topology, KEY=VALUE each (default: DIR/topology.properties if it exists;"
              + " keys: docs/reference/topology-settings.md).")
  Path topology;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = "${env:RONDO_PREFIX}",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description =
          "Prefix of everything that this Rondo has on the cluster: topics, groups and the connector"
              + " (default: RONDO_PREFIX, else rondo.prefix of --topology, else that of the last"
              + " start, else rondo). Rondos that share a cluster need different prefixes.")
  String prefix;

  @Option(
      names = "--detach",
      description = "Run in the background; return when everything is ready.")
  boolean detach;

  @Option(names = "--no-host-metrics", description = "Do not publish metrics of this machine.")
  boolean noHostMetrics;

  @Option(names = "--no-own-metrics", description = "Do not publish metrics of Rondo itself.")
  boolean noOwnMetrics;

  @Option(names = "--supervised", hidden = true)
  boolean supervised;

  /**
   * @throws UserError that names the first unreadable file
   */
  void requireFiles() {
    Preflight.fileIsReadable(sources, "--sources");
    Preflight.fileIsReadable(policies, "--policies");
    Preflight.fileIsReadable(topology, "--topology");
    Preflight.fileIsReadable(kafkaConfig, "--kafka-config");
  }

  Home home(Installation installation) {
    return new Home(dir == null ? installation.defaultDir() : dir);
  }
}
