package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A JVM is ended while it initialises PostgreSQL in its temporary folder. */
class TemporaryFolderIT {
  @Test
  void shouldBeDeletedWithItsJvmDuringAStart() throws Exception {
    Process jvm =
        new ProcessBuilder(
                JavaCommand.of(
                    System.getProperty("java.class.path"), List.of(), Starting.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = jvm.inputReader()) {
      Path folder = Path.of(said.readLine());
      await().atMost(Duration.ofMinutes(3)).until(() -> isBeingFilled(folder));

      jvm.destroy();

      assertThat(jvm.waitFor()).isNotZero();
      assertThat(folder).doesNotExist();
    } finally {
      jvm.destroyForcibly();
    }
  }

  private static boolean isBeingFilled(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> Files.exists(file.resolve("PG_VERSION")));
    }
  }

  /** Main method of the JVM. */
  static final class Starting {
    public static void main(String[] arguments) throws IOException {
      Path folder = TemporaryFolder.create("rondo-temporary-folder-it-").path();
      System.out.println(folder);
      PostgresServer.start(folder, 0);
    }
  }
}
