package dev.rondo.local;

import dev.rondo.connection.postgres.PostgresUrl;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.Launch;
import dev.rondo.embedded.PostgresServer;
import dev.rondo.local.database.Migration;
import dev.rondo.local.settings.Home;
import dev.rondo.local.settings.Passwords;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs only a PostgreSQL with Rondo's tables, in the foreground. */
@Command(
    name = "postgres",
    description = {
      "Runs only a PostgreSQL with Rondo's tables, until Ctrl-C or SIGTERM.",
      "",
      "The first line of standard output is its URL, which names the file with its password, "
          + "DIR/pgpass."
    })
final class PostgresCommand implements Callable<Integer> {
  private static final String USER = "rondo";

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
    var home = new Home(dir);
    home.createFolder();
    int chosen = port == 0 ? FreePort.choose() : port;
    PostgresUrl url = Passwords.ofStarted(USER, chosen, home, List.of(USER));
    var launch = Launch.to(home.dir().resolve("postgres.log"));
    PostgresServer.start(home.dir(), chosen, launch, url.password()); // ends when the JVM exits
    Migration.run(url);
    System.out.println(url.withoutAuth().url());
    System.out.flush();
    new CountDownLatch(1).await();
    return Main.OK;
  }
}
