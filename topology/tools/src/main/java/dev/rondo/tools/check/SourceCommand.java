package dev.rondo.tools.check;

import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourcesFile;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Reads some records of a topic and prints what the topology would make of them. Exit code 0 if a
 * point would be stored, 1 if none would or the command failed, 2 on wrong usage.
 */
@Command(
    name = "source",
    sortOptions = false,
    customSynopsis = {
      "./rondo check source --topic=TOPIC [--records=N] [--from=PLACE] [--json]",
      "                            [--kafka=BOOTSTRAP | --dir=DIR | --config=FILE]",
      "                            [--sources=FILE | --format=FORMAT ...] [--policies=FILE]",
      "       ./rondo check policies FILE [SERIES...]  (see policies --help)"
    },
    description =
        "%nReads some records of a topic and previews what Rondo would make of them: "
            + "series, times and values, the policy of each, and what would be dropped and why."
            + " Stores and changes nothing.%n",
    footer = {
      "",
      "The topic is read as the source that the settings define for it, or as format "
          + "auto if there is none. Any option from --format on defines a source with these "
          + "settings and no others, to try settings without a file.",
      "",
      "PLACE is earliest, a time (ISO 8601 such as 2026-03-01T14:00:00Z, epoch seconds or"
          + " milliseconds, a span back such as 90m, 6h or 2d), or offsets, PARTITION:OFFSET,...",
      "",
      "Exit code 0 when a point would be stored, 1 when none would or the command "
          + "failed, 2 on wrong usage. Only the running topology can detect late and "
          + "duplicate points."
    })
final class SourceCommand implements Callable<Integer> {
  @Option(names = "--topic", paramLabel = "TOPIC", required = true, description = "Topic to read.")
  private String topic;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of records, from all partitions evenly (default: 20).")
  private int records;

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      description = "Where to begin (default: so that the newest are read).")
  private String from;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Mixin private SettingsOptions settings;

  @Mixin private SourceOptions options;

  @Spec private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    if (records < 1) {
      throw new SettingException("%d records is less than 1 (--records)".formatted(records));
    }
    SampleStart start = SampleStart.parse(from, clock);
    TopologyConfig config = settings.config();
    Check check = check(config, start);
    if (json) {
      print(CheckJson.of(check));
    } else {
      CheckText.lines(check).forEach(this::print);
    }
    return check.summary().stored() > 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Check check(TopologyConfig config, SampleStart start)
      throws ExecutionException, InterruptedException {
    Policies policies = config.policies();
    Map<String, Object> entry = options.entry(topic);
    Optional<Source> configured =
        entry.isEmpty() ? config.sourceRules().of(topic) : Optional.empty();
    Source source =
        configured.orElseGet(
            () ->
                new SourcesFile(config.sourceDefaults())
                    .one(entry.isEmpty() ? Map.of("topic", topic) : entry));
    try (Admin admin = Admin.create(config.admin());
        TopicSample reader = new TopicSample(topic, config.reader(), SourceCommand::emit)) {
      reader.find(admin);
      var recordCheck = new RecordCheck(source, policies, config.getLong("max.future.ms"), clock);
      List<CheckedRecord> checked =
          reader.read(start, records).stream().map(recordCheck::check).toList();
      if (checked.isEmpty()) {
        throw CommandException.refused(
            "topic '%s' has no records to read (--topic, --from)".formatted(topic));
      }
      Summary summary = Summary.of(checked, reader.partitions());
      return new Check(
          source,
          origin(configured.isPresent(), entry.isEmpty()),
          start,
          reader.partitions(),
          clock.millis(),
          checked,
          summary,
          Hints.of(source, checked, summary));
    }
  }

  private static String origin(boolean isConfigured, boolean isWithoutOptions) {
    if (isConfigured) {
      return "from the settings";
    }
    return isWithoutOptions ? "the settings have no source for it" : "from the options";
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  /** Prints to standard error: a program may read the output. */
  private static void emit(String line) {
    System.err.println(line);
  }
}
