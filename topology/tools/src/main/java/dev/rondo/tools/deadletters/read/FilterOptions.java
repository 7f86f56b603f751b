package dev.rondo.tools.deadletters.read;

import dev.rondo.connection.settings.Nearest;
import dev.rondo.formats.DropReason;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.command.PastTime;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options that select dead letters; without any, all are selected. */
public final class FilterOptions {
  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description = "Only those with this reason; can be repeated.")
  private List<String> reasons = List.of();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Only those whose record was in this topic; can be repeated.")
  private List<String> topics = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Only those that became dead letters at TIME or later.")
  private String from;

  public DeadLetterFilter filter(Clock clock) {
    reasons.forEach(FilterOptions::check);
    return new DeadLetterFilter(
        Set.copyOf(reasons),
        Set.copyOf(topics),
        from == null ? OptionalLong.empty() : OptionalLong.of(PastTime.parseMs(from, clock)));
  }

  private static void check(String reason) {
    List<String> known =
        Stream.concat(
                Arrays.stream(DropReason.values())
                    .filter(DropReason::isDeadLetter)
                    .map(DropReason::key),
                SinkReason.keys().stream())
            .toList();
    if (!known.contains(reason)) {
      throw CommandException.misuse(
          "'%s' is not a reason of dead letters, %s: did you mean '%s'? (--reason)"
              .formatted(reason, known, Nearest.to(reason, known)));
    }
  }
}
