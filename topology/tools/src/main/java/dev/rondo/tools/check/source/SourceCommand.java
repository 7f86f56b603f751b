package dev.rondo.tools.check.source;

import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.tools.check.cluster.ClusterCheck;
import dev.rondo.tools.check.cluster.ClusterJson;
import dev.rondo.tools.check.cluster.ClusterOptions;
import dev.rondo.tools.check.cluster.SourcesYaml;
import dev.rondo.tools.check.mapping.ProposedSource;
import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.RecordCheck;
import dev.rondo.tools.check.record.SampleStart;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.tools.check.record.TopicSample;
import dev.rondo.tools.command.CheckSettings;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.CommandOutput;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.settings.SettingException;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourcesFile;
import dev.rondo.topology.topics.RecordTimeBound;
import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.ArgGroup;
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
    description = {
      "Previews what Rondo would make of the records of a topic, or of all topics.",
      "",
      "Reads some records and shows series, times and values, the policy of each, and what "
          + "would be dropped and why. With --all, proposes a sources file of all topics that have "
          + "points. Stores and changes nothing."
    },
    footer = {
      "The topic is read as the source that the settings define for it, or as format "
          + "auto if there is none. Any option from --format on defines a source with these "
          + "settings and no others, to try settings without a file.",
      "",
      "--all reads the newest records of each topic, and prints for each its format, whether its"
          + " series keep their partition (keyed), points per second, series, and what they cost:"
          + " cores of all parts, rows per second, disk when the archives are full. Rates are those"
          + " of the last ten minutes. Topics that are no source are listed as comments, with the"
          + " reason. Topics that a sources file of the settings covers are not proposed again.",
      "",
      "--registry proposes name, tags, time and values by the names and types of the fields of the"
          + " schema, prints the source as a sources file, and previews it. With --sources=FILE it"
          + " may name an entry of registries in FILE, as one with a password. Options from --format on"
          + " add settings to the source; the format is that of the schema. With --all, it proposes"
          + " sources of the topics whose records name schemas. --schema does the same with a schema"
          + " that no registry has.",
      "",
      "PLACE is earliest, a time (ISO 8601 such as 2026-03-01T14:00:00Z, epoch seconds or"
          + " milliseconds, a span back such as 90m, 6h or 2d), or offsets, PARTITION:OFFSET,...",
      "",
      "Exit code 0 when a point or an event would be stored, or a source is proposed; 1 when none would or the command "
          + "failed, 2 on wrong usage. Only the running topology can detect late and "
          + "duplicate points."
    })
public final class SourceCommand implements Callable<Integer> {
  private static final int DEFAULT = 20;
  private static final int DEFAULT_OF_ALL = 200;

  @ArgGroup private final Which which = new Which();

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Number of records of a topic, from all partitions evenly (default: 20; --all: 200).")
  private Integer records;

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      description = "Where to begin (default: so that the newest are read).")
  private String from;

  @Option(
      names = "--registry",
      paramLabel = "URL",
      description =
          "Schema registry, or its name in the sources file: proposes a source from the schema of"
              + " the newest record.")
  private String registry;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "An .avsc or .proto file: proposes a source from this schema.")
  private String schema;

  @Option(
      names = "--message",
      paramLabel = "TYPE",
      description = "--schema: Protobuf message of the records (default: the first).")
  private String message;

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Mixin private ClusterOptions cluster;

  @Mixin private CheckSettings settings;

  @Mixin private SourceOptions options;

  @Mixin private final CommandOutput out = new CommandOutput();

  @Spec private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();

  /** One of the two. */
  private static final class Which {
    @Option(names = "--topic", paramLabel = "TOPIC", description = "Topic to read.")
    private String topic;

    @Option(names = "--all", description = "Propose a source for each topic.")
    private boolean all;
  }

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    if (records != null && records < 1) {
      throw new SettingException("%d records is less than 1 (--records)".formatted(records));
    }
    if (which.all) {
      return proposeAll();
    }
    if (which.topic == null) {
      throw CommandException.misuse("no topic is given (--topic, or --all)");
    }
    for (String option : ClusterOptions.NAMES) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw CommandException.misuse(option + " needs --all");
      }
    }
    return checkOne();
  }

  private int proposeAll() throws IOException, ExecutionException, InterruptedException {
    if (from != null || schema != null || message != null || !options.entry("").isEmpty()) {
      throw CommandException.misuse(
          "--from, --schema and settings of a source need --topic, not --all");
    }
    TopologyConfig config = settings.read();
    ClusterCheck check =
        cluster.check(
            config,
            records == null ? DEFAULT_OF_ALL : records,
            Optional.ofNullable(registry),
            clock);
    List<String> yaml =
        SourcesYaml.lines(
            check,
            "Proposed by ./rondo check source --all for %s at %s"
                .formatted(
                    config.kafka().bootstrap(), clock.instant().truncatedTo(ChronoUnit.SECONDS)));
    boolean isWritten = cluster.write(yaml);
    if (json) {
      out.line(ClusterJson.of(check));
    } else if (!isWritten) {
      yaml.forEach(out::line);
    }
    emit(
        "%d of %d topics are proposed as sources%s"
            .formatted(
                check.sources().size(),
                check.topics().size(),
                isWritten ? ": " + cluster.output() : ""));
    return check.sources().isEmpty() ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private int checkOne() throws IOException, ExecutionException, InterruptedException {
    if ((registry != null || schema != null) && options.entry("").containsKey("format")) {
      throw CommandException.misuse("the schema tells the format (--format)");
    }
    if ((registry != null && schema != null) || (message != null && schema == null)) {
      throw CommandException.misuse(
          "a schema is either of a registry, or of a file, which may need --message (--schema)");
    }
    SampleStart start = SampleStart.parse(from, clock);
    TopologyConfig config = settings.read();
    Check check = check(config, start);
    if (json) {
      out.line(CheckJson.of(check));
    } else {
      CheckText.lines(check).forEach(out::line);
    }
    return check.summary().stored() > 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Check check(TopologyConfig config, SampleStart start)
      throws ExecutionException, InterruptedException {
    Policies policies = config.policies();
    String topic = which.topic;
    Map<String, Object> entry = options.entry(topic);
    Optional<Source> configured =
        entry.isEmpty() && registry == null && schema == null
            ? config.sourceRules().of(topic)
            : Optional.empty();
    Source described =
        configured.orElseGet(
            () ->
                new SourcesFile(config.sourceDefaults())
                    .one(entry.isEmpty() ? Map.of("topic", topic) : entry));
    KafkaConnection.check(config.kafka());
    try (Admin admin = Admin.create(config.admin());
        TopicSample reader = new TopicSample(topic, config.reader(), SourceCommand::emit)) {
      reader.find(admin);
      List<ConsumerRecord<byte[], byte[]>> read =
          reader.read(start, records == null ? DEFAULT : records);
      if (read.isEmpty()) {
        throw CommandException.refused(
            "topic '%s' has no records to read (--topic, --from)".formatted(topic));
      }
      Optional<ProposedSource> proposed = proposed(config, entry, read);
      Source source = proposed.map(ProposedSource::source).orElse(described);
      var recordCheck = new RecordCheck(source, TimeLimits.of(config, policies), clock);
      List<CheckedRecord> checked = read.stream().map(recordCheck::check).toList();
      SampleSummary summary = SampleSummary.of(checked, reader.partitions());
      return new Check(
          source,
          proposed
              .map(it -> "proposed from " + it.proposal().schema())
              .orElse(origin(configured.isPresent(), entry.isEmpty())),
          start,
          reader.partitions(),
          clock.millis(),
          checked,
          summary,
          proposed.map(it -> it.proposal().yaml()).orElse(List.of()),
          hints(admin, config, Hints.of(source, checked, summary)));
    }
  }

  private List<String> hints(Admin admin, TopologyConfig config, List<String> ofRecords)
      throws ExecutionException, InterruptedException {
    List<String> hints = new ArrayList<>(ofRecords);
    RecordTimeBound.weakness(admin, config, which.topic).ifPresent(hints::add);
    return hints;
  }

  private Optional<ProposedSource> proposed(
      TopologyConfig config, Map<String, Object> entry, List<ConsumerRecord<byte[], byte[]>> read) {
    if (registry != null) {
      return Optional.of(
          ProposedSource.ofRegistry(
              config, config.registries(), which.topic, registry, entry, read, clock));
    }
    if (schema != null) {
      String type = message == null ? "" : message;
      return Optional.of(
          ProposedSource.ofFile(config, which.topic, schema, type, entry, read, clock));
    }
    return Optional.empty();
  }

  private static String origin(boolean isConfigured, boolean isWithoutOptions) {
    if (isConfigured) {
      return "from the settings";
    }
    return isWithoutOptions ? "the settings have no source for it" : "from the options";
  }

  /** Prints to standard error: a program may read the output. */
  private static void emit(String line) {
    System.err.println(line);
  }
}
