package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without native code no format can be detected: an instance says so before it reads a record. */
class NativeCodeIT {
  @TempDir Path dir;

  /** As in a folder that is mounted noexec, no native code can be loaded from a file. */
  @Test
  void shouldRefuseToStartWhereNativeCodeCannotBeLoaded() throws Exception {
    Path noFolder = Files.createFile(dir.resolve("tmp"));
    Path output = dir.resolve("output");
    List<String> command =
        JavaCommand.withOptions(
            "128m", List.of("-Djava.io.tmpdir=" + noFolder), Main.class.getName());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(FailureReport.WRONG_SETTING);
    assertThat(output)
        .content()
        .contains("native code", "'" + noFolder + "'", "-Djava.io.tmpdir=FOLDER");
  }
}
