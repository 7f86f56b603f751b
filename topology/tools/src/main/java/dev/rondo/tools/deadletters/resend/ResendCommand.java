package dev.rondo.tools.deadletters.resend;

import dev.rondo.schemas.Topics;
import dev.rondo.tools.command.CommandOutput;
import dev.rondo.tools.command.TopologySettings;
import dev.rondo.tools.deadletters.read.DeadLetter;
import dev.rondo.tools.deadletters.read.DeadLetterFilter;
import dev.rondo.tools.deadletters.read.DeadLetterLocation;
import dev.rondo.tools.deadletters.read.DeadLetterReader;
import dev.rondo.tools.deadletters.read.FilterOptions;
import dev.rondo.tools.deadletters.read.SentMarks;
import dev.rondo.topology.config.TopologyConfig;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Resends the bytes of dead letters to the topic they came from, each once. Exit code 0, 1 on
 * failure, 2 on wrong usage.
 */
@Command(
    name = "resend",
    hidden = true, // in the list of commands, as the synopsis has it
    description = {
      "Resends the bytes of dead letters after the cause was corrected.",
      "",
      "They go to the topic and partition they came from, with their key and headers, in the "
          + "order in which they were written. Each is sent once; those with missing bytes are "
          + "reported instead."
    },
    footer = {
      "Valid points of the same records are skipped. Points older than what their series has "
          + "stored since are counted as late. A point that was too far in the future is accepted if "
          + "it no longer is when it is resent; a time that means now is that of the first record.",
      "",
      "Exit code 0 on success, 1 when the command failed, 2 on wrong usage."
    })
public final class ResendCommand implements Callable<Integer> {
  @Mixin private FilterOptions filters;

  @Option(
      names = "--to",
      paramLabel = "TOPIC",
      description = "Send all of them to this topic instead.")
  private String to;

  @Option(
      names = "--again",
      description =
          "Also those that were sent before, and those whose bytes have come back "
              + NotSent.MAX_SENDS
              + " times.")
  private boolean again;

  @Option(names = "--dry-run", description = "Show what would be sent, and send nothing.")
  private boolean dryRun;

  @Mixin private final TopologySettings settings = new TopologySettings();

  @Mixin private final CommandOutput out = new CommandOutput();

  private final Clock clock = Clock.systemUTC();

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    DeadLetterFilter filter = filters.filter(clock);
    TopologyConfig config = settings.connect();
    try (DeadLetterReader reader = new DeadLetterReader(config)) {
      resend(config, reader, filter);
    }
    return ExitCode.OK;
  }

  private void resend(TopologyConfig config, DeadLetterReader reader, DeadLetterFilter filter)
      throws ExecutionException, InterruptedException {
    SentMarks marks = new SentMarks(reader.begins());
    SupersededSeries superseded = new SupersededSeries(config);
    String rows = config.topic(Topics.BUNDLE_ROWS).name();
    List<Candidate> candidates = candidates(reader, filter, rows, marks, superseded);
    superseded.read();
    TargetTopics targets = targets(config, candidates);
    ResendPlan plan =
        ResendPlan.of(candidates, marks, again, superseded::contains, targets::hasTopicOf);
    plan.sentLines().forEach(out::line);
    if (dryRun) {
      plan.notSentLines().forEach(out::line);
      out.line("Would send %d dead letters; nothing was sent (--dry-run).".formatted(plan.size()));
      return;
    }
    int sent = plan.size() == 0 ? 0 : send(config, reader, targets, plan);
    plan.notSentLines().forEach(out::line);
    out.line("Sent: %d dead letters.".formatted(sent));
  }

  private static List<Candidate> candidates(
      DeadLetterReader reader,
      DeadLetterFilter filter,
      String rows,
      SentMarks marks,
      SupersededSeries superseded) {
    List<Candidate> candidates = new ArrayList<>();
    reader.read(
        filter,
        record -> {
          marks.read(record);
          DeadLetter.of(record)
              .filter(filter::matches)
              .ifPresent(
                  deadLetter -> {
                    candidates.add(Candidate.of(deadLetter, rows));
                    superseded.add(deadLetter);
                  });
        });
    return candidates;
  }

  private TargetTopics targets(TopologyConfig config, List<Candidate> candidates)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(config.admin())) {
      return TargetTopics.find(
          admin,
          Optional.ofNullable(to),
          candidates.stream()
              .map(candidate -> candidate.source().topic())
              .collect(Collectors.toSet()));
    }
  }

  private static int send(
      TopologyConfig config, DeadLetterReader reader, TargetTopics targets, ResendPlan plan)
      throws InterruptedException {
    try (Resend resend = new Resend(config, targets, plan)) {
      for (List<DeadLetterLocation> batch : DeadLetterLocation.batches(plan.locations())) {
        resend.send(reader.read(batch));
      }
      return resend.sent();
    }
  }
}
