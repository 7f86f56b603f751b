package dev.rondo.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.embedded.Commands;
import dev.rondo.embedded.ConnectWorker;
import dev.rondo.embedded.JavaCommand;
import dev.rondo.embedded.RunningProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unpacked archive and plugin of a release, without a clone, a compiler or Maven. */
@Tag("long")
class ReleaseIT {
  @TempDir static Path dir;
  private static Path release;

  @BeforeAll
  static void unpack() throws IOException {
    Release.make();
    release = Release.unpack(dir.resolve("opt"));
  }

  @Test
  void shouldDoTheMainJob() throws Exception {
    try (var job = new MainJob(dir.resolve("job"), new Unpacked(Release.unpackPlugin(plugins())))) {
      job.runThroughAKill();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "topology", "api"})
  void shouldPrintItsVersion(String command) {
    assertThat(rondo(command, "--version")).isEqualTo("rondo " + Release.VERSION);
  }

  @Test
  void shouldHaveValidExamples() {
    String examples = release.resolve("examples").toString();
    assertThat(rondo("check", "policies", examples + "/policies.yaml"))
        .contains("hosts", "default");
    assertThat(rondo("acls", "--config", examples + "/topology.properties"))
        .contains("rondo.series");
  }

  @Test
  void shouldHaveManualPagesAndTheCompletion() {
    assertThat(release.resolve("share/man/man1/rondo-policies-apply.1")).isNotEmptyFile();
    assertThat(release.resolve("share/bash-completion/completions/rondo")).isNotEmptyFile();
  }

  @Test
  void shouldHaveEachJarOnce() throws IOException {
    try (Stream<Path> files = Files.list(release.resolve("lib"))) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .filteredOn(name -> name.endsWith(".jar"))
          .extracting(name -> name.replaceFirst("-[0-9].*", ""))
          .doesNotHaveDuplicates()
          .contains("rondo-topology", "rondo-tools", "kafka-streams");
    }
  }

  @Test
  void shouldListTheSumOfEachFile() throws IOException {
    String sums = Release.file("SHA256SUMS").toString();
    assertThat(Files.readString(Path.of(sums)))
        .contains("rondo-%s.tar.gz".formatted(Release.VERSION))
        .contains("rondo-chart-%s.tgz".formatted(Release.VERSION));
    Commands.run(
        List.of("env", "--chdir=" + Release.file("."), "sha256sum", "--check", "--strict", sums));
  }

  private static String rondo(String... arguments) {
    return Commands.run(
        Stream.concat(Stream.of(launcher()), Arrays.stream(arguments).filter(a -> !a.isEmpty()))
            .toList());
  }

  private static String launcher() {
    return release.resolve("bin/rondo").toString();
  }

  private static Path plugins() {
    return dir.resolve("plugins");
  }

  /** Uses the query API's packages of the clone, because installing them takes half a minute. */
  private record Unpacked(Path pluginPath) implements Runner {
    @Override
    public List<String> rondo(String... arguments) {
      return Stream.concat(Stream.of(launcher()), Arrays.stream(arguments)).toList();
    }

    @Override
    public List<String> api() {
      return List.of("env", "RONDO_VENV=" + Release.venv(), launcher(), "api");
    }

    @Override
    public List<String> connect() {
      return JavaCommand.withOptions("512m", List.of(), ConnectWorker.MAIN);
    }

    @Override
    public String plugins() {
      return pluginPath.toString();
    }

    @Override
    public String stateDir() {
      return dir.resolve("state").toString();
    }

    @Override
    public void kill(RunningProcess topology) {
      topology.kill();
    }
  }
}
