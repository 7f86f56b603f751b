package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  @TempDir Path dir;

  @Test
  void shouldShowTheErrorBeforeTheLinesOfTheShutdown() throws IOException {
    Path log = dir.resolve("kafka.log");
    var lines = new ArrayList<String>();
    lines.add("INFO  starting");
    lines.add("ERROR Exiting Kafka due to fatal exception during startup.");
    lines.add(
        "org.apache.kafka.common.KafkaException: Socket server failed to bind to 127.0.0.1:1");
    lines.addAll(Collections.nCopies(40, "INFO  closed"));
    Files.write(log, lines);

    assertThat(ChildProcess.tail(log).lines())
        .hasSize(17)
        .startsWith(lines.get(1), lines.get(2))
        .endsWith("INFO  closed");
  }

  @Test
  void shouldShowNothingOfAMissingLog() {
    assertThat(ChildProcess.tail(dir.resolve("none.log"))).isEmpty();
  }
}
