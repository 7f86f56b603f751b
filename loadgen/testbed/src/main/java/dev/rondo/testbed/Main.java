package dev.rondo.testbed;

import dev.rondo.embedded.KafkaBroker;
import dev.rondo.embedded.TemporaryFolder;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Runs the bed of a whole test run until it is ended: {@code Main FILE}. */
public final class Main {
  private Main() {}

  /**
   * Starts the servers, writes {@code FILE}, and stays until SIGTERM or the end of standard input.
   */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]).toAbsolutePath();
    var folder = TemporaryFolder.create("rondo-testbed-");
    var postgres =
        CompletableFuture.supplyAsync(
            () -> SharedPostgres.start(folder.path().resolve("postgres")),
            start -> new Thread(start, "postgres").start());
    KafkaBroker kafka = KafkaBroker.start(folder.path().resolve("kafka"), 0);
    new BedFile(kafka.bootstrap(), postgres.join().port(), folder.path()).write(file);
    while (System.in.read() >= 0) {
      // what is said does not matter
    }
    System.exit(0);
  }
}
