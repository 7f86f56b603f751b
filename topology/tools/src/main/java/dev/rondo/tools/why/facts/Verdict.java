package dev.rondo.tools.why.facts;

import static dev.rondo.tools.why.facts.Times.time;

import dev.rondo.tools.why.facts.Facts.Archive;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.tools.why.facts.Facts.State;
import dev.rondo.topology.policy.Spans;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Why the graph of a series looks as it does, in one sentence. Causes are looked for in one order,
 * and the first is the verdict: what keeps rows back near the end of the way hides what is wrong
 * before it.
 *
 * <pre>
 *   name → PostgreSQL ← sink ← topology: times, drops, merge, lag → query API: hidden
 *        ← sender: silence, gaps → fine
 * </pre>
 */
public record Verdict(Cause cause, String sentence) {
  /** Decides. */
  public static Verdict of(Facts facts) {
    var points = new PointJudgement(facts);
    return facts.name().state() == State.KNOWN
        ? first(ofKnown(facts, points, new RowJudgement(facts))).orElseGet(() -> fine(facts))
        : first(ofAbsent(facts, points)).orElseGet(() -> absent(facts, points));
  }

  private static List<Supplier<Optional<Verdict>>> ofKnown(
      Facts facts, PointJudgement points, RowJudgement rows) {
    return List.of(
        () -> kafka(facts),
        () -> archive(facts),
        rows::database,
        rows::location,
        rows::rows,
        points::unit,
        points::topology,
        points::source,
        points::merge,
        points::partitions,
        points::future,
        points::drop,
        points::past,
        points::late,
        rows::hidden,
        points::silence,
        points::gaps,
        rows::idleSink,
        rows::api);
  }

  private static List<Supplier<Optional<Verdict>>> ofAbsent(Facts facts, PointJudgement points) {
    return List.of(
        () -> kafka(facts),
        points::unit,
        points::drop,
        points::topology,
        points::source,
        points::merge,
        points::late);
  }

  private static Optional<Verdict> first(List<Supplier<Optional<Verdict>>> judgements) {
    return judgements.stream().flatMap(judgement -> judgement.get().stream()).findFirst();
  }

  private static Optional<Verdict> kafka(Facts f) {
    String error = f.name().error();
    return error == null
        ? Optional.empty()
        : found(
            Cause.KAFKA_DOWN,
            "%s%s%s"
                .formatted(
                    error.startsWith("Kafka ") ? "" : "Kafka does not tell the series: ",
                    error,
                    f.because("kafka")));
  }

  private static Verdict absent(Facts f, PointJudgement points) {
    Name name = f.name();
    if (name.state() == State.RENAMED) {
      return new Verdict(
          Cause.RENAMED,
          "renamed at %s: ask for %s".formatted(time(name.atMs()), name.renamedTo()));
    }
    if (name.deletedBy() != null) {
      return new Verdict(
          Cause.DELETED,
          "deleted at %s by %s, and no later point has come"
              .formatted(time(name.deletedMs()), name.deletedBy()));
    }
    if (name.state() == State.GONE) {
      return new Verdict(
          Cause.RETIRED,
          "retired at %s: no point had come for so long that its policy's expire.after%s was over"
              .formatted(
                  time(name.atMs()),
                  f.policy().expireAfterMs() == 0
                      ? ""
                      : " of " + Spans.format(f.policy().expireAfterMs())));
    }
    if (f.stored() != null && f.stored().location() != null) {
      return new Verdict(
          Cause.SILENT,
          "no point of it has come; what PostgreSQL shows%s is of a series that was renamed to it"
              .formatted(
                  f.finest(f.storedSlots())
                      .map(slot -> ", up to " + time(slot.endMs()) + ",")
                      .orElse("")));
    }
    return new Verdict(
        Cause.NOT_FOUND,
        "there is no such series: none of its points was stored, or it left weeks ago%s%s"
            .formatted(
                name.nearest().isEmpty() ? "" : "; nearest: " + String.join(", ", name.nearest()),
                points.unreadable()));
  }

  private static Optional<Verdict> archive(Facts f) {
    List<Archive> archives = f.policy().archives();
    Long stepMs = f.asked().stepMs();
    Long fromMs = f.asked().fromMs();
    if (archives.isEmpty() || (stepMs == null && fromMs == null)) {
      return Optional.empty();
    }
    List<Archive> reach =
        archives.stream()
            .filter(archive -> fromMs == null || archive.spanMs() >= f.nowMs() - fromMs)
            .toList();
    if (reach.isEmpty()) {
      long longestMs = archives.stream().mapToLong(Archive::spanMs).max().orElseThrow();
      return found(
          Cause.NO_SUCH_ARCHIVE,
          "no archive of policy %s reaches back to %s: the longest keeps %s"
              .formatted(f.policy().inForce(), time(fromMs), Spans.format(longestMs)));
    }
    long finestMs = reach.stream().mapToLong(Archive::stepMs).min().orElseThrow();
    return stepMs == null || finestMs <= stepMs
        ? Optional.empty()
        : found(
            Cause.NO_SUCH_ARCHIVE,
            "policy %s has no archive of %s%s: the finest has %s"
                .formatted(
                    f.policy().inForce(),
                    Spans.format(stepMs),
                    fromMs == null ? "" : " that reaches back to " + time(fromMs),
                    Spans.format(finestMs)));
  }

  private static Verdict fine(Facts f) {
    return new Verdict(
        Cause.FINE,
        f.finest(f.storedSlots())
            .map(
                slot ->
                    "fine: the slot that ends at %s has the value %s"
                        .formatted(time(slot.endMs()), slot.value()))
            .orElse("fine: points arrive, and no slot has closed yet"));
  }

  static Optional<Verdict> found(Cause cause, String sentence) {
    return Optional.of(new Verdict(cause, sentence));
  }
}
