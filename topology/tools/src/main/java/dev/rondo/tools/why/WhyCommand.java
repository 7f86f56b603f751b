package dev.rondo.tools.why;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.connection.kafka.KafkaConnection;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.why.PartOptions.Addresses;
import dev.rondo.tools.why.facts.Cause;
import dev.rondo.tools.why.facts.Facts;
import dev.rondo.tools.why.facts.Verdict;
import dev.rondo.tools.why.stage.ApiStage;
import dev.rondo.tools.why.stage.Cluster;
import dev.rondo.tools.why.stage.DatabaseStage;
import dev.rondo.tools.why.stage.DropStage;
import dev.rondo.tools.why.stage.LagStage;
import dev.rondo.tools.why.stage.NameStage;
import dev.rondo.tools.why.stage.PolicyStage;
import dev.rondo.tools.why.stage.ProblemStage;
import dev.rondo.tools.why.stage.RowStage;
import dev.rondo.tools.why.stage.SinkStage;
import dev.rondo.tools.why.stage.SourceStage;
import dev.rondo.tools.why.stage.TopologyStage;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.policy.Spans;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./rondo why}: reads only. */
@Command(
    name = "why",
    description = {
      "Explains why the graph of a series looks as it does.",
      "",
      "Follows the series from its source through the topology, the sink and PostgreSQL to the "
          + "query API, and ends with the cause in one sentence. Changes nothing. A part that does "
          + "not answer within 10 s is a cause, not an error."
    },
    footer = {
      "SERIES is a name, app.web01.load, or an ident with its tags in any order,"
          + " 'load;host=web01;dc=ams'.",
      "",
      "The command knows the parts of ./rondo up. Of another Rondo it asks only the parts "
          + "whose address is given.",
      "",
      "Exit code 0 when the series is fine; 1 when a cause is found, or the command failed; 2 on"
          + " wrong usage."
    })
public final class WhyCommand implements Callable<Integer> {
  private static final long SHORTEST_GRAPH_MS = Duration.ofHours(1).toMillis();
  private static final int SLOTS_IN_GRAPH = 20;

  /** Rows to look at for each record: a segment sends few of those in its partition. */
  private static final int ROWS = 20;

  @Parameters(arity = "1", paramLabel = "SERIES", description = "Series to explain.")
  private String series;

  @Option(
      names = "--step",
      paramLabel = "SPAN",
      description = "Resolution that the graph should have, such as 10s.")
  private String step;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "When the graph should begin, such as 6h or 2026-03-01T14:00Z (default: 1h).")
  private String from;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Newest records of each partition to read, in the source and the dead letters "
              + "(default: 1000).")
  private int records;

  @Option(
      names = "--late",
      paramLabel = "SPAN",
      defaultValue = "10s",
      description = "A longer lag counts as late (default: ${DEFAULT-VALUE}).")
  private String late;

  @Option(names = "--json", description = "Print the facts and the cause as JSON, for programs.")
  private boolean json;

  @Mixin private final PartOptions parts = new PartOptions();

  @Mixin private final TopologySettings settings = new TopologySettings();

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (records < 1) {
      throw CommandException.misuse("%d records are less than 1 (--records)".formatted(records));
    }
    Facts.Asked asked =
        AskedSeries.of(
            series,
            step == null ? null : Spans.parseMs(step, "--step"),
            from == null ? null : PastTime.parseMs(from, clock));
    long lateMs = Spans.parseMs(late, "--late");
    TopologyConfig config = settings.read();
    Facts facts = facts(config, parts.addresses(config, settings.home()), asked, lateMs);
    Verdict verdict = Verdict.of(facts);
    if (json) {
      System.out.println(json(facts, verdict));
    } else {
      WhyText.lines(facts).forEach(System.out::println);
      System.out.println();
      System.out.println(verdict.sentence());
    }
    return verdict.cause() == Cause.FINE ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Facts facts(TopologyConfig config, Addresses parts, Facts.Asked asked, long lateMs)
      throws InterruptedException {
    try {
      KafkaConnection.check(config.kafka(), Cluster.PATIENCE);
    } catch (KafkaConnection.UnavailableException e) {
      return withoutKafka(parts, asked, lateMs, e.getMessage());
    }
    String ident = asked.ident();
    try (Cluster cluster = new Cluster(config)) {
      Facts.Name name = NameStage.read(cluster, ident);
      Facts.Policy policy = PolicyStage.read(config, ident, name);
      Facts.Held held = TopologyStage.read(parts.topology(), ident);
      Facts.Sent sent = SourceStage.read(cluster, ident, name, records);
      List<Facts.Drop> drops = DropStage.read(cluster, parts.topology(), ident, name, records);
      Facts.Emitted emitted = RowStage.read(cluster, name.location(), ROWS * records);
      Facts.Sink sink = SinkStage.read(parts.connect(), parts.connector());
      Facts.Stored stored = DatabaseStage.read(parts.postgres(), ident);
      Map<String, Long> applied = stored == null ? Map.of() : stored.applied();
      List<Facts.Lag> lags = LagStage.read(cluster, ident, name, sent, applied);
      Facts.Shown shown =
          ApiStage.read(parts.api(), parts.token(), ident, graphFromMs(asked, policy));
      return new Facts(
          clock.millis(),
          lateMs,
          asked,
          name,
          policy,
          sent,
          held,
          drops,
          emitted,
          sink,
          stored,
          shown,
          lags,
          problems(parts));
    }
  }

  /** The parts that need no Kafka to answer. */
  private Facts withoutKafka(Addresses parts, Facts.Asked asked, long lateMs, String error)
      throws InterruptedException {
    String ident = asked.ident();
    Facts.Policy policy = Facts.Policy.failed(error);
    return new Facts(
        clock.millis(),
        lateMs,
        asked,
        Facts.Name.failed(error),
        policy,
        Facts.Sent.failed(error),
        TopologyStage.read(parts.topology(), ident),
        List.of(),
        new Facts.Emitted(error, 0, List.of()),
        SinkStage.read(parts.connect(), parts.connector()),
        DatabaseStage.read(parts.postgres(), ident),
        ApiStage.read(parts.api(), parts.token(), ident, graphFromMs(asked, policy)),
        List.of(),
        problems(parts));
  }

  private static List<Facts.Problem> problems(Addresses parts) throws InterruptedException {
    List<Facts.Problem> problems = new ArrayList<>(parts.ends());
    problems.addAll(ProblemStage.read(parts.api(), parts.token()));
    return problems;
  }

  private long graphFromMs(Facts.Asked asked, Facts.Policy policy) {
    return asked.fromMs() == null
        ? clock.millis() - Math.max(SHORTEST_GRAPH_MS, SLOTS_IN_GRAPH * policy.stepMs())
        : asked.fromMs();
  }

  private static String json(Facts facts, Verdict verdict) throws JsonProcessingException {
    var mapper = new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    ObjectNode root = mapper.createObjectNode();
    root.put("cause", verdict.cause().key()).put("sentence", verdict.sentence());
    root.set("facts", mapper.valueToTree(facts));
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }
}
