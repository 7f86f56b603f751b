package dev.rondo.testbed;

import dev.rondo.embedded.PostgresServer;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;

/** A PostgreSQL of which each user gets a database; its superuser is named {@code rondo}. */
final class SharedPostgres {
  private static final String TEMPLATE = "rondo_template";

  private final int port;

  SharedPostgres(int port) {
    this.port = port;
  }

  /** Starts a server that does not wait for the disk: no test crashes it. */
  static SharedPostgres start(Path dir) {
    PostgresServer server = PostgresServer.start(dir, 0);
    var shared = new SharedPostgres(server.port());
    shared.execute("alter system set fsync = off");
    shared.execute("alter system set max_connections = 400");
    server.close();
    PostgresServer.start(dir, server.port());
    shared.makeTemplate();
    return shared;
  }

  private void makeTemplate() {
    Flyway.configure()
        .dataSource(empty(TEMPLATE).jdbcUrl(), "rondo", "")
        .locations("filesystem:" + Checkout.root().resolve("schemas/sql"))
        .load()
        .migrate();
  }

  int port() {
    return port;
  }

  Database empty(String name) {
    execute("create database " + name);
    return new Database(port, name);
  }

  Database copyOfTemplate(String name) {
    execute("create database %s template %s".formatted(name, TEMPLATE));
    return new Database(port, name);
  }

  private void execute(String sql) {
    new Database(port, "postgres").execute(sql);
  }
}
