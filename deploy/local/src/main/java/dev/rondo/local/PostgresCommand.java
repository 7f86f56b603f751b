package dev.rondo.local;

import dev.rondo.embedded.PostgresServer;
import dev.rondo.local.database.Migration;
import dev.rondo.schemas.postgres.PostgresUrl;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs only a PostgreSQL with Rondo's tables, in the foreground. */
@Command(
    name = "postgres",
    sortOptions = false,
    customSynopsis = "./rondo postgres --dir=DIR [--port=PORT]",
    description =
        "%nRuns only a PostgreSQL with Rondo's tables, until Ctrl-C or SIGTERM. The first"
            + " line of standard output is its URL.%n")
final class PostgresCommand implements Callable<Integer> {
  @Option(names = "--dir", paramLabel = "DIR", required = true, description = "Its data folder.")
  private Path dir;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "0 = any free port (the default).")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    var server = PostgresServer.start(dir, port); // ends at the JVM's exit
    Migration.run(PostgresUrl.parse(server.url()));
    System.out.println(server.url());
    System.out.flush();
    new CountDownLatch(1).await();
    return Rondo.OK;
  }
}
