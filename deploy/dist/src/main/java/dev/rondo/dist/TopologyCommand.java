package dev.rondo.dist;

import dev.rondo.tools.command.TopologySettings;
import dev.rondo.topology.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Runs an instance of the topology in this process. */
@Command(
    name = "topology",
    description = {
      "Runs an instance of the topology until SIGTERM or SIGINT.",
      "",
      "Java's options are in lib/topology.options: the heap takes three quarters of the memory of the"
          + " machine, container or unit. For another size, set JDK_JAVA_OPTIONS=-Xmx4g."
    },
    footer = "Exit code 0, 1 on a failure (restart it), 2 on an invalid setting.")
final class TopologyCommand implements Runnable {
  private static final Path DEFAULT = Path.of("/etc/rondo/topology.properties");

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "Its properties file (default: the environment, otherwise /etc/rondo/topology.properties).")
  private Path file;

  @Override
  public void run() {
    boolean takesDefault = Files.exists(DEFAULT) || !TopologySettings.isGivenByEnvironment();
    Path chosen = file == null && takesDefault ? DEFAULT : file;
    Main.main(chosen == null ? new String[0] : new String[] {chosen.toString()});
  }
}
