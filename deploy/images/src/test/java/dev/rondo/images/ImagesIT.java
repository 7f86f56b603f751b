package dev.rondo.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.Commands;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.RunningProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The images, run by podman as a user other than root, with a read-only root. */
@Tag("long")
class ImagesIT {
  private static final long MB = 1 << 20;
  private static final long TOPOLOGY_BOUND_BYTES = 250 * MB;

  /** Its cgroups and limits are also allowed in nested containers. */
  private static final List<String> PODMAN =
      List.of("podman", "--runtime=runc", "--cgroup-manager=cgroupfs");

  private static final String TOPOLOGY = "rondo-it-" + ProcessHandle.current().pid();

  @TempDir static Path dir;

  @BeforeAll
  static void load() {
    assumeTrue(
        Release.hasImages(),
        "podman, runc or dpkg-deb is not here: sudo apt install podman runc, on a Debian");
    Release.makeImages();
    for (Part part : Part.all()) {
      podman("load", "--quiet", "--input", Release.image(part.name()).toString());
    }
  }

  @AfterAll
  static void forget() {
    if (Release.hasImages()) {
      Part.all().forEach(part -> podman("image", "rm", "--force", "--ignore", name(part.name())));
    }
  }

  @Test
  void shouldDoTheMainJob() throws Exception {
    try (var job = new MainJob(dir.resolve("job"), new Containers())) {
      job.runThroughAKill();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"topology", "tools", "api", "connect"})
  void shouldHaveNoShellNoRootAndItsVersion(String part) throws IOException {
    JsonNode image = new ObjectMapper().readTree(podman("image", "inspect", name(part))).path(0);
    assertThat(image.path("User").asText()).isEqualTo("10001:10001");
    assertThat(image.path("Labels").path("org.opencontainers.image.version").asText())
        .isEqualTo(Release.VERSION);
    assertThatThrownBy(() -> Commands.run(run(List.of("--entrypoint=/bin/sh"), part)))
        .hasMessageContaining("/bin/sh");
  }

  @Test
  void shouldBeSmall() throws IOException {
    JsonNode topology =
        new ObjectMapper().readTree(podman("image", "inspect", name("topology"))).path(0);
    assertThat(topology.path("Size").asLong()).isBetween(1L, TOPOLOGY_BOUND_BYTES);
  }

  /** The heap is three quarters of the memory of the container, not of the machine. */
  @Test
  void shouldSizeTheHeapByTheMemoryOfTheContainer() {
    String flags =
        Commands.run(
            run(
                List.of("--memory=400m", "--entrypoint=/opt/java/bin/java"),
                "topology",
                "@/opt/rondo/lib/topology.options",
                "-XX:+PrintFlagsFinal",
                "-version"));
    assertThat(flags).containsPattern("MaxHeapSize +=" + " 31[0-9]{7} ");
  }

  /** Loads the exporter like the chart. */
  @Test
  void shouldLoadTheExporterOfTheSinksMetrics() {
    String agent =
        "-javaagent:/opt/rondo/connect/jmx_prometheus_javaagent.jar=%d:%s"
            .formatted(FreePort.choose(), "/opt/rondo/connect/jmx-exporter.yml");
    Commands.run(run(List.of("--entrypoint=/opt/java/bin/java"), "connect", agent, "-version"));
  }

  private static String name(String part) {
    return "localhost/rondo-%s:%s".formatted(part, Release.VERSION);
  }

  private static String podman(String... arguments) {
    return Commands.run(Stream.concat(PODMAN.stream(), Arrays.stream(arguments)).toList());
  }

  /** Returns a command that ends with its container, and forwards signals to it. */
  private static List<String> run(List<String> options, String part, String... arguments) {
    var command = new ArrayList<>(PODMAN);
    command.addAll(List.of("run", "--rm", "--read-only", "--net=host", "--cap-drop=all"));
    command.addAll(List.of("--ulimit=nofile=20000:20000", "--ulimit=nproc=500:500"));
    command.addAll(options);
    command.add(name(part));
    command.addAll(List.of(arguments));
    return command;
  }

  private static final class Containers implements Runner {
    @Override
    public List<String> rondo(String... arguments) {
      return arguments[0].equals("topology")
          ? run(
              options("--name=" + TOPOLOGY, "--replace"),
              "topology",
              Arrays.copyOfRange(arguments, 1, arguments.length))
          : run(options(), "tools", arguments);
    }

    @Override
    public List<String> api() {
      return run(List.of("--env=RONDO_API_*"), "api");
    }

    @Override
    public List<String> connect() {
      return run(options(), "connect");
    }

    @Override
    public String plugins() {
      return "/opt/rondo/connect/plugins";
    }

    @Override
    public String stateDir() {
      return "/tmp/state";
    }

    /** Killing podman itself would not end the container. */
    @Override
    public void kill(RunningProcess topology) {
      podman("kill", "--signal=KILL", TOPOLOGY);
      topology.process().onExit().join();
    }

    /** Mounts the settings of the test at the same path. */
    private static List<String> options(String... more) {
      var options = new ArrayList<>(List.of("--volume=%1$s:%1$s:ro".formatted(dir), "--memory=1g"));
      options.addAll(List.of(more));
      return options;
    }
  }
}
