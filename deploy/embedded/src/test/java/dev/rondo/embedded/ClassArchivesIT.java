package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class archive that a broker writes for the next one. */
@Tag("long")
class ClassArchivesIT {
  private static final Duration BOUND = Duration.ofMinutes(5);

  @TempDir private Path dir;

  @Test
  void shouldStartASecondBrokerFromTheArchiveOfTheFirst() throws Exception {
    var archives = ClassArchives.ofEnvironment();
    assumeTrue(archives.isPresent(), ClassArchives.VARIABLE + " is not set, Maven sets it");
    String classPath = System.getProperty("java.class.path");
    try (var first = KafkaBroker.start(dir.resolve("first"), 0)) {
      long deadline = System.nanoTime() + BOUND.toNanos();
      while (archives.get().find(KafkaMain.class.getName(), classPath).isEmpty()) {
        assertThat(System.nanoTime())
            .as("an archive of %s within %s", first.bootstrap(), BOUND)
            .isLessThan(deadline);
        Thread.sleep(100);
      }
    }

    Path log = dir.resolve("second.log");
    List<String> options = List.of("-Xlog:class+load");
    try (var second =
        KafkaBroker.start(dir.resolve("second"), 0, Launch.to(log), "512m", options, Map.of())) {
      assertThat(second.process().isAlive()).isTrue();
    }

    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.matches(".*kafka\\.server\\.KafkaConfig .*shared objects file.*"));
  }
}
