package dev.rondo.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FatalLineTest {
  @TempDir private Path dir;

  @Test
  void shouldFindTheReasonWhyABrokerEnded() throws IOException {
    String log =
        """
        [12:00:00] ERROR Error while appending records to points-0 (LogDirFailureChannel)
        java.io.IOException: No space left on device
        \tat java.base/sun.nio.ch.FileDispatcherImpl.write0(Native Method)
        [12:00:01] FATAL Shutdown broker because all log dirs have failed (LogManager)
        [12:00:02] INFO shut down
        """;
    assertThat(of(log))
        .isEqualTo(
            "[12:00:01] FATAL Shutdown broker because all log dirs have failed (LogManager):"
                + " java.io.IOException: No space left on device");
  }

  @Test
  void shouldFindAnErrorWithoutAFatalLine() throws IOException {
    assertThat(of("1 ERROR a\n2 ERROR b\n3 INFO c\n")).isEqualTo("2 ERROR b");
    String traceback = "Traceback\n  File x\nrondo_query_api.settings.SettingsError: RONDO_API_X\n";
    assertThat(of(traceback)).isEqualTo("rondo_query_api.settings.SettingsError: RONDO_API_X");
  }

  @Test
  void shouldIgnoreTheErrorOfAnEarlierProcess() throws IOException {
    String earlier = "1 FATAL earlier\n";
    Path log = Files.writeString(dir.resolve("a.log"), earlier + "2 INFO killed\n");
    assertThat(FatalLine.of(log, earlier.length())).isNull();
    assertThat(FatalLine.of(log, 1000)).as("of a rotated log").isEqualTo("1 FATAL earlier");
    assertThat(FatalLine.of(dir.resolve("none.log"), 0)).isNull();
  }

  @Test
  void shouldBeShort() throws IOException {
    assertThat(of("FATAL " + "x".repeat(100_000))).isNull(); // cut at its beginning
    assertThat(of("FATAL " + "x".repeat(1000))).hasSize(300);
  }

  private String of(String log) throws IOException {
    return FatalLine.of(Files.writeString(dir.resolve("part.log"), log), 0);
  }
}
