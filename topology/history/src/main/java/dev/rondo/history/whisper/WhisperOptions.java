package dev.rondo.history.whisper;

import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.DatabaseOption;
import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.command.UpFolder;
import dev.rondo.tools.policies.Versions;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that the import and its verification share: what the files are, and where they belong.
 */
final class WhisperOptions {
  @Option(
      names = "--prefix",
      paramLabel = "NODES",
      defaultValue = "",
      description = "Nodes to put before each name, like the prefix of a source.")
  private String prefix;

  @Option(
      names = "--names",
      paramLabel = "FILE",
      description =
          "Names of tagged series whose files have a hash as name: one a line, or the answer of "
              + "graphite-web's /tags/findSeries.")
  private Path names;

  @Option(
      names = "--policies",
      paramLabel = "FILE",
      description = "Policies (default: those that apply).")
  private Path policiesFile;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Mixin private final DatabaseOption database = new DatabaseOption();

  TopologyConfig config() throws IOException {
    return settings.connect();
  }

  Policies policies(TopologyConfig config) throws InterruptedException {
    return policiesFile != null
        ? PoliciesFile.read(policiesFile)
        : PoliciesFile.parse(Versions.read(config).latest().getYaml());
  }

  Connection connect() throws IOException, SQLException {
    return database.connect("rondo-whisper", settings);
  }

  ImportedFiles files(TopologyConfig config, Policies policies, ImportReport report)
      throws IOException {
    List<String> tagged = names == null ? List.of() : TaggedNames.read(names);
    return new ImportedFiles(tagged, new PointNames(config, prefix), policies, report);
  }

  /** Data folder of {@code ./rondo up}, or the one to work in. */
  Path home() {
    boolean isElsewhere = settings.dir() == null && database.isGiven();
    return isElsewhere ? Path.of("") : UpFolder.path(settings.dir()).orElse(Path.of(""));
  }

  /** Epoch ms of {@code --until}; without it there is no limit. */
  static long untilMs(String text, Clock clock) {
    return text == null ? Long.MAX_VALUE : PastTime.parseMs(text, clock, "--until");
  }

  static int checked(int number, String what, String option) {
    if (number < 1) {
      throw CommandException.misuse("%d %s are less than 1 (%s)".formatted(number, what, option));
    }
    return number;
  }
}
