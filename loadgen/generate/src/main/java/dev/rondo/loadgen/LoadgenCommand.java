package dev.rondo.loadgen;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.PlanFile;
import dev.rondo.loadgen.send.Display;
import dev.rondo.loadgen.send.Rehearsal;
import dev.rondo.loadgen.send.Run;
import dev.rondo.loadgen.send.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Sends planned points. Exit code 0 when all that were sent are acknowledged, 1 when some are not
 * or it was not possible, 2 on wrong use.
 */
@Command(
    name = "loadgen",
    sortOptions = false,
    customSynopsis = {
      "./rondo loadgen [--shape=SHAPE] [--series=N] [--rate=N] [--seconds=N] [--batch=N]",
      "                       [--keys=KEYS] [--format=FORMAT] [--topic=TOPIC] ..."
    },
    description =
        "%nSends points that a plan defines exactly, so that everything stored can be verified.%n",
    footer = {
      "",
      "The plan is written before the first point and completed at the end. A generator"
          + " that cannot keep up does not change the plan: it reports its lag and catches "
          + "up; without a broker it waits. Ctrl-C ends it, and the plan records what was "
          + "sent.",
      "",
      "A topic of another format than rondo needs a source of that format: ./rondo up --sources=FILE.",
      "",
      "Exit code 0 when every point that was sent is acknowledged, 1 when one is not or"
          + " the command failed, 2 on wrong usage."
    })
public final class LoadgenCommand implements Callable<Integer> {
  @Mixin private final PlanOptions planned = new PlanOptions();

  @Option(
      names = "--flat-out",
      description = "Send as fast as possible, ignoring the clock; for history (--start).")
  private boolean isFlatOut;

  @Mixin private final KafkaOptions kafka = new KafkaOptions();

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "Where to write the plan (default: .rondo/loadgen/RUN.json in the clone).")
  private Path planFile;

  @Option(names = "--force", description = "Overwrite the plan of an earlier run.")
  private boolean isForced;

  @Option(
      names = "--rehearse",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Generate and discard N points before the clock starts, to warm up for a high "
              + "rate (default: 0).")
  private long rehearsed;

  @Option(names = "--json", description = "Print one JSON object at the end, for programs.")
  private boolean isJson;

  @Mixin private final ShapeOptions shape = new ShapeOptions();

  @Spec private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    Plan plan = planned.plan(shape, kafka.topic(), clock.millis());
    if (isFlatOut) {
      checkIsHistory(plan);
    }
    if (rehearsed < 0) {
      throw new BadInputException("%d is less than 0 points (--rehearse)".formatted(rehearsed));
    }
    PlanFile file = file(plan);
    if (!isForced && Files.exists(file.path())) {
      throw new BadInputException(
          "there is a plan of an earlier run in %s: name another --plan or --run, or overwrite it (--force)"
              .formatted(file.path()));
    }
    int partitions = kafka.partitions();
    var producer = kafka.settings().producer();
    producer.partitionsFor(
        plan.topic()); // before the clock runs: the first record would wait for it
    Fleet fleet = Fleet.of(plan);
    Rehearsal.of(plan, fleet, partitions, rehearsed);
    Plan begun = planned.startsLive() ? plan.startingAt(planned.startMs(clock.millis())) : plan;
    var display = Display.of(Boolean.getBoolean("rondo.tty"), System.err);
    return tell(new Run(begun, fleet, file, !isFlatOut, partitions, producer, display));
  }

  private void checkIsHistory(Plan plan) {
    long endMs = plan.shape().dueMs(plan.grid().points() - 1);
    if (endMs > clock.millis()) {
      throw new BadInputException(
          "the last point is of %s, which is still to come (--flat-out): give a --start at least %d s back, or fewer --seconds"
              .formatted(Instant.ofEpochMilli(endMs), (endMs - plan.grid().startMs()) / 1000 + 1));
    }
  }

  private PlanFile file(Plan plan) {
    Path path =
        planFile == null ? kafka.home().resolve("loadgen/" + plan.run() + ".json") : planFile;
    return new PlanFile(path);
  }

  private int tell(Run run) {
    EndBySignal end = EndBySignal.of(run);
    int code = ExitCode.SOFTWARE;
    try {
      Summary summary = run.call();
      spec.commandLine().getOut().println(isJson ? summary.toJson() : summary.toText());
      spec.commandLine().getOut().flush();
      code = summary.isGood() ? ExitCode.OK : ExitCode.SOFTWARE;
    } finally {
      end.done(code);
    }
    return code;
  }
}
