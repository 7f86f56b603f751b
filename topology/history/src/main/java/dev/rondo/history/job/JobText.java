package dev.rondo.history.job;

import dev.rondo.tools.command.PastTime;
import dev.rondo.tools.command.RoughTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** What a job does, and how far it is, for people. */
final class JobText {
  private JobText() {}

  /** The plan of a job. */
  static List<String> plan(Job job) {
    var lines = new ArrayList<String>();
    String how =
        switch (job.mode()) {
          case FILL -> "fills unknown slots";
          case OVERWRITE -> "overwrites slots";
        };
    lines.add(
        "Job %s %s that end after %s, up to %s."
            .formatted(job.id(), how, PastTime.show(job.fromMs()), PastTime.show(job.toMs())));
    if (job.beginMs() > 0) {
      lines.add(
          "  Kafka has no records of before: slots that begin before %s stay as they are"
              .formatted(PastTime.show(job.beginMs())));
    }
    job.recordsByTopic()
        .forEach(
            (topic, count) ->
                lines.add("  topic %s: reads %s records".formatted(topic, number(count))));
    lines.add(
        "  %d worker%s, %s"
            .formatted(
                job.workers(),
                job.workers() == 1 ? "" : "s",
                job.rate() == 0
                    ? "as fast as possible (--rate)"
                    : "at most %s points/s (--rate)".formatted(number(job.rate()))));
    if (!job.series().isEmpty()) {
      lines.add("  only series " + String.join(" ", job.series()));
    }
    return lines;
  }

  /**
   * How long it takes at its rate.
   *
   * @param points that its records hold, by a sample
   */
  static String estimate(Job job, double points) {
    String time =
        job.rate() == 0 ? "" : ": at least %s".formatted(RoughTime.text(points / job.rate()));
    return "They hold about %s points, by a sample of the newest%s."
        .formatted(number(Math.round(points)), time);
  }

  /** How far it is. */
  static String line(Job job, JobState state) {
    return switch (state.phase()) {
      case WAITING ->
          "waits until PostgreSQL has what the running topology has read of these topics";
      case READING -> reading(job, state);
      case WRITING ->
          "%s slots in %s rows written".formatted(number(state.slots()), number(state.rows()));
      case CLEARING -> "clears slots for which the job has no value";
      case ENDING -> "deletes its topics";
      case DONE ->
          "done: %s records, %s slots in %s rows%s"
              .formatted(
                  number(state.read()),
                  number(state.slots()),
                  number(state.rows()),
                  state.notes().isEmpty() ? "" : "; " + state.notes());
      case CANCELLED -> "cancelled: %s slots were written".formatted(number(state.slots()));
    };
  }

  private static String reading(Job job, JobState state) {
    long left = job.records() - state.read();
    String rest =
        state.recordsPerSecond() < 1
            ? ""
            : ", %s left".formatted(RoughTime.text(left / state.recordsPerSecond()));
    return "%s of %s records read, %s records/s%s; %s slots written"
        .formatted(
            number(state.read()),
            number(job.records()),
            number(Math.round(state.recordsPerSecond())),
            rest,
            number(state.slots()));
  }

  /**
   * What was dropped; empty if nothing was.
   *
   * @param points by reason
   */
  static String notStored(SortedMap<String, Long> points) {
    return points.isEmpty() ? "" : "not stored: points " + list(points);
  }

  /**
   * Why an overwriting job has cleared nothing, and what to do.
   *
   * @param points by reason
   */
  static String notCleared(SortedMap<String, Long> points) {
    return ("No slot was cleared, as points were dropped that another run may store: %s. Slots without"
            + " a value in this run keep theirs; others may lack these points. Mend the cause, and"
            + " run it again (docs/how-to/replay.md#when-an-overwriting-job-clears-nothing)")
        .formatted(list(points));
  }

  private static String list(SortedMap<String, Long> points) {
    return points.entrySet().stream()
        .map(each -> "%s %s".formatted(number(each.getValue()), each.getKey()))
        .collect(Collectors.joining(", "));
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
