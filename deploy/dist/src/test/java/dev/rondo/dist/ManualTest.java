package dev.rondo.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManualTest {
  @TempDir static Path share;

  @BeforeAll
  static void write() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    String classPath = System.getProperty("java.class.path");
    run(
        List.of(
            java, "-Drondo.program=rondo", "-cp", classPath, Manual.class.getName(), "" + share));
  }

  @Test
  void shouldHaveAPageForEachCommand() throws IOException {
    assertThat(share.resolve("man/man1"))
        .isDirectoryContaining("glob:**/rondo.1")
        .isDirectoryContaining("glob:**/rondo-topology.1")
        .isDirectoryContaining("glob:**/rondo-backfill-whisper.1");
    assertThat(Files.readString(share.resolve("man/man1/rondo-series-list.1")))
        .contains(".SH NAME\nrondo-series-list \\- Lists series.\n")
        .contains("\\fB\\-\\-newest\\fR\n")
        .doesNotContain("./rondo");
  }

  @ParameterizedTest
  @CsvSource({
    "rondo poli, policies",
    "rondo policies pru, prune",
    "rondo series list --new, --newest"
  })
  void shouldCompleteInBash(String typed, String completed) throws Exception {
    String words = typed.replaceFirst(".* ", "");
    String script =
        "source %s/bash-completion/completions/rondo; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_rondo 2>&-; echo ${COMPREPLY[*]}"
            .formatted(share, typed, typed.split(" ").length - 1);
    assertThat(run(List.of("bash", "-c", script)).strip()).isEqualTo(completed).startsWith(words);
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
