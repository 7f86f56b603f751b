package dev.rondo.chaos.postgres;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** A server of its own, with the tables, the roles and the rows of PostgreSQL. */
public final class NewServer implements Successor {
  private static final String TABLES =
      "select tablename from pg_tables where schemaname = current_schema() and tablename not like 'flyway%' order by 1";
  private static final String LOGINS =
      """
      select format('create role %I login password %L', rolname, rolpassword)
      from pg_authid where rolcanlogin and rolname <> current_user
      """;
  private static final String MEMBERS =
      """
      select format('grant %s to %s', roleid::regrole, member::regrole)
      from pg_auth_members join pg_authid on pg_authid.oid = member where rolcanlogin
      """;

  /** Without a primary key, updates and deletes of published rows would be refused. */
  private static final String IDENTITIES =
      """
      select format('alter table %s replica identity full', oid::regclass) from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace
        and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)
      """;

  private static final String SEQUENCES =
      """
      select format('select setval(%L, %s)', schemaname || '.' || sequencename, last_value)
      from pg_sequences where last_value is not null
      """;
  private static final String NAME = "chaos";

  private final Database database;
  private final PostgresServer server;

  private NewServer(Database database, PostgresServer server) {
    this.database = database;
    this.server = server;
  }

  /**
   * Returns a subscriber that has all changes until now; its sequences stand at their beginning.
   */
  public static NewServer subscriber(Database database, Path root)
      throws IOException, InterruptedException, SQLException {
    NewServer made = withTables(database, root);
    PostgresUrl from = database.url();
    PostgresUrl to = database.of(made.server);
    Database.execute(from, Database.query(from, IDENTITIES).toArray(String[]::new));
    Database.execute(
        from,
        "drop publication if exists " + NAME,
        "create publication %s for table %s"
            .formatted(NAME, String.join(", ", Database.query(from, TABLES))));
    Database.execute(
        to,
        "create subscription %s connection 'host=127.0.0.1 port=%d dbname=rondo user=rondo password=%s' publication %s"
            .formatted(NAME, database.port(), from.password(), NAME));
    Database.await(to, "select count(*) from pg_subscription_rel where srsubstate <> 'r'", "0");
    String reached = Database.query(from, "select pg_current_wal_lsn()").get(0);
    Database.await(
        to,
        "select latest_end_lsn >= '%s' from pg_stat_subscription where latest_end_lsn is not null"
            .formatted(reached),
        "t");
    Database.execute(
        to,
        "alter subscription %s disable".formatted(NAME),
        "alter subscription %s set (slot_name = none)".formatted(NAME),
        "drop subscription " + NAME);
    return made;
  }

  /** Returns a server that has a dump of now. */
  public static NewServer loaded(Database database, Path root)
      throws IOException, InterruptedException, SQLException {
    NewServer made = withTables(database, root);
    try (Connection from = database.url().connect("rondo-chaos");
        Connection to = database.of(made.server).connect("rondo-chaos")) {
      from.setAutoCommit(false);
      Database.execute(from, "set transaction isolation level repeatable read");
      to.setAutoCommit(false);
      Database.execute(
          to, "set session_replication_role = replica"); // the rows of triggers are in the dump
      for (String table : Database.query(from, TABLES)) {
        copy(table, from, to);
      }
      Database.execute(to, Database.query(from, SEQUENCES).toArray(String[]::new));
      to.commit();
    }
    return made;
  }

  @Override
  public void takeOver() throws IOException, InterruptedException {
    server.close();
    database.replace();
  }

  private static NewServer withTables(Database database, Path root)
      throws IOException, InterruptedException, SQLException {
    PostgresServer server = database.startNew();
    PostgresUrl to = database.of(server);
    Commands.run(
        List.of(
            "env",
            "RONDO_NO_BUILD=1", // this process runs from it
            root.resolve("rondo").toString(),
            "migrate",
            "--postgres=" + to.url(),
            "--roles"));
    Database.execute(to, Database.query(database.url(), LOGINS).toArray(String[]::new));
    Database.execute(to, Database.query(database.url(), MEMBERS).toArray(String[]::new));
    return new NewServer(database, server);
  }

  /** As a dump does, to a file in between. */
  private static void copy(String table, Connection from, Connection to)
      throws IOException, SQLException {
    Path dump = Files.createTempFile("rondo-chaos-", ".copy");
    try {
      try (OutputStream out = Files.newOutputStream(dump)) {
        copies(from).copyOut("copy %s to stdout".formatted(table), out);
      }
      try (InputStream in = Files.newInputStream(dump)) {
        copies(to).copyIn("copy %s from stdin".formatted(table), in);
      }
    } finally {
      Files.delete(dump);
    }
  }

  private static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }
}
