package dev.rondo.loadgen;

import dev.rondo.loadgen.encode.Fleet;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.plan.PlanFile;
import dev.rondo.loadgen.send.Display;
import dev.rondo.loadgen.send.KafkaOutput;
import dev.rondo.loadgen.send.Output;
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
 * Sends planned points. Exit code 0: all points acknowledged; 1: some not, or the run failed; 2:
 * wrong usage.
 */
@Command(
    name = "loadgen",
    abbreviateSynopsis = true,
    description = {
      "Sends planned points, in any shape and format.",
      "",
      "The plan is exact, so that ./rondo verify can check what is stored."
    },
    footer = {
      "The plan is written before the first point and completed at the end. A generator that falls"
          + " behind does not change the plan: it reports its lag and catches up; without a broker it"
          + " waits. Ctrl-C ends the run; the plan file then records what was sent.",
      "",
      "Formats other than native need a source with that format: ./rondo up --sources=FILE.",
      "",
      "Exit code 0: all points are acknowledged; 1: some are not, or the run failed; 2: wrong"
          + " usage."
    })
public final class LoadgenCommand implements Callable<Integer> {
  @Mixin private final PlanOptions planned = new PlanOptions();

  @Option(
      names = "--flat-out",
      description =
          "Send at full speed, without regard to the clock; for points in the past (--start).")
  private boolean isFlatOut;

  @Mixin private final KafkaOptions kafka = new KafkaOptions();

  @Mixin private final TcpOptions tcp = new TcpOptions();

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
          "Encode and discard this many points before the clock starts, to warm up for a high rate (default: 0).")
  private long rehearsed;

  @Option(names = "--json", description = "Print one JSON object at the end, for programs.")
  private boolean isJson;

  private final ShapeOptions shape = new ShapeOptions();
  private CommandSpec spec;

  private final Clock clock = Clock.systemUTC();

  @Spec
  void spec(CommandSpec own) {
    spec = own;
    shape.addTo(own);
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    Plan plan = planned.plan(shape, kafka.topic(), clock.millis());
    if (isFlatOut) {
      checkIsHistory(plan);
    }
    if (rehearsed < 0) {
      throw new BadInputException("%d is less than 0 (--rehearse)".formatted(rehearsed));
    }
    PlanFile file = file(plan);
    if (!isForced && Files.exists(file.path())) {
      throw new BadInputException(
          "%s is the plan of an earlier run: choose another --plan or --run, or overwrite it (--force)"
              .formatted(file.path()));
    }
    int partitions = tcp.isGiven() ? 1 : kafka.partitions();
    Output output =
        tcp.isGiven()
            ? tcp.output(plan)
            : new KafkaOutput(kafka.settings().producer(), plan.topic());
    Fleet fleet = Fleet.of(plan);
    Rehearsal.of(plan, fleet, partitions, rehearsed);
    Plan begun = planned.startsLive() ? plan.startingAt(planned.startMs(clock.millis())) : plan;
    var display = Display.of(Boolean.getBoolean("rondo.tty"), System.err);
    return report(new Run(begun, fleet, file, !isFlatOut, partitions, output, display));
  }

  private void checkIsHistory(Plan plan) {
    long endMs = plan.shape().dueMs(plan.grid().points() - 1);
    if (endMs > clock.millis()) {
      throw new BadInputException(
          "--flat-out sends points of the past only, but the last point is of %s: give a --start at least %d s back, or fewer --seconds"
              .formatted(Instant.ofEpochMilli(endMs), (endMs - plan.grid().startMs()) / 1000 + 1));
    }
  }

  private PlanFile file(Plan plan) {
    Path path =
        planFile == null ? kafka.home().resolve("loadgen/" + plan.run() + ".json") : planFile;
    return new PlanFile(path);
  }

  private int report(Run run) {
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
