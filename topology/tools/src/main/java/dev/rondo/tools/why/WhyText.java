package dev.rondo.tools.why;

import dev.rondo.tools.why.facts.Facts;
import dev.rondo.tools.why.facts.Facts.Drop;
import dev.rondo.tools.why.facts.Facts.Lag;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Sample;
import dev.rondo.tools.why.facts.Facts.Slot;
import dev.rondo.tools.why.facts.Facts.State;
import dev.rondo.tools.why.facts.Times;
import dev.rondo.topology.policy.Spans;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The facts for people: a line or a few for each stage, the stage in front. */
final class WhyText {
  private static final String LINE = "%-9s %s";
  private static final int DIGITS = 6;

  private final Facts f;
  private final List<String> lines = new ArrayList<>();

  private WhyText(Facts facts) {
    this.f = facts;
  }

  static List<String> lines(Facts facts) {
    var text = new WhyText(facts);
    text.name();
    text.source();
    text.policy();
    text.topology();
    text.drops();
    text.rows();
    text.sink();
    text.postgres();
    text.api();
    text.lags();
    text.problems();
    return text.lines;
  }

  private void add(String stage, String... more) {
    for (String line : more) {
      boolean isFirst = lines.stream().noneMatch(before -> before.startsWith(stage));
      lines.add(LINE.formatted(isFirst ? stage : "", line).stripTrailing());
    }
  }

  /** Reports a Kafka that is down once, not for each stage. */
  private void fail(String stage, String error) {
    if (!error.equals(f.name().error())) {
      add(stage, error);
    }
  }

  private void name() {
    Facts.Name name = f.name();
    add("name", f.asked().ident() + (f.asked().isTagged() ? ", tagged" : ""));
    if (name.error() != null) {
      add("name", name.error());
    } else if (name.state() == State.KNOWN) {
      add(
          "name",
          "since %s at %s".formatted(ago(name.location().startsAtMs()), at(name.location())));
    } else if (name.state() == State.RENAMED) {
      add("name", "renamed to %s at %s".formatted(name.renamedTo(), ago(name.atMs())));
    } else {
      add("name", "not there" + (name.atMs() == null ? "" : ", removed at " + ago(name.atMs())));
    }
    if (name.deletedBy() != null) {
      add(
          "name",
          "deletion requested at %s by %s".formatted(ago(name.deletedMs()), name.deletedBy()));
    }
  }

  private static String at(Location location) {
    return "policy %s, segment %d (partition %d), position %d"
        .formatted(
            location.policy(), location.segment(), location.segment() >> 16, location.position());
  }

  private void source() {
    Facts.Sent sent = f.sent();
    if (sent.error() != null) {
      fail("source", sent.error());
      return;
    }
    String read =
        "%d records of %s%s"
            .formatted(
                sent.records(),
                sent.topics().isEmpty() ? "no topic" : String.join(", ", sent.topics()),
                sent.oldestMs() == null ? "" : ", the oldest of " + ago(sent.oldestMs()));
    if (sent.newest() == null) {
      add("source", "not in the newest " + read);
    } else {
      add("source", point(sent.newest()));
      add(
          "source",
          "%d points%s in the newest %s"
              .formatted(
                  sent.points(),
                  sent.intervalMs() == null ? "" : ", every " + Times.span(sent.intervalMs()) + ",",
                  read));
    }
    if (sent.rejected() != null) {
      add("source", "cannot be stored: " + point(sent.rejected()));
    }
    if (sent.unreadablePiece() != null) {
      Sample piece = sent.unreadablePiece();
      add(
          "source",
          "%d unreadable, such as %s: %s"
              .formatted(sent.unreadable(), piece.place(), piece.detail()));
    }
  }

  private String point(Sample sample) {
    return "%s, written %s, as %s: time %s%s%s"
        .formatted(
            sample.place(),
            ago(sample.writtenMs()),
            sample.format(),
            sample.tMs() == null ? "unknown" : Times.time(sample.tMs()),
            sample.value() == null ? "" : ", value " + value(sample.value()),
            sample.reason() == null ? "" : ", " + sample.reason());
  }

  private void policy() {
    Facts.Policy policy = f.policy();
    if (policy.error() != null) {
      fail("policy", policy.error());
      return;
    }
    String name = policy.inForce() == null ? policy.now() : policy.inForce();
    add(
        "policy",
        "%s of version %d: %s"
            .formatted(
                name,
                policy.version(),
                policy.drops()
                    ? "drops its series"
                    : "heartbeat %s, %s"
                        .formatted(
                            policy.heartbeatMs() == 0
                                ? "0 (Whisper mode)"
                                : Spans.format(policy.heartbeatMs()),
                            policy.archives().stream()
                                .map(WhyText::archive)
                                .collect(Collectors.joining(" ")))));
    if (!Objects.equals(name, policy.now())) {
      add("policy", "the latest version covers it with " + policy.now());
    }
    if (policy.inFile() != null && !Objects.equals(policy.inFile(), policy.now())) {
      add(
          "policy",
          "the policies file would cover it with %s, and is not applied"
              .formatted(policy.inFile()));
    }
  }

  private static String archive(Facts.Archive archive) {
    return "%s:%s:%s"
        .formatted(
            archive.function(), Spans.format(archive.stepMs()), Spans.format(archive.spanMs()));
  }

  private void topology() {
    Facts.Held held = f.held();
    if (held == null || held.error() != null) {
      add("topology", held == null ? "not asked (--topology)" : held.error());
      return;
    }
    if (held.notReady() != null) {
      add("topology", "does not process points: " + held.notReady());
    }
    add(
        "topology",
        held.location() == null
            ? "does not know it"
            : "last point " + (held.newestMs() == null ? "none" : ago(held.newestMs())));
    if (!held.open().isEmpty()) {
      add(
          "topology",
          "open: " + held.open().stream().map(this::open).collect(Collectors.joining(", ")));
    }
    if (held.merging() > 0 || held.reordering() > 0) {
      add(
          "topology",
          "buffered: %d points in the merge%s, %d in the reorder window"
              .formatted(
                  held.merging(),
                  held.awaited().isEmpty() ? "" : " for " + String.join(", ", held.awaited()),
                  held.reordering()));
    }
  }

  private String open(Facts.Open slot) {
    return "%s until %s %d %% known"
        .formatted(
            Spans.format(slot.stepMs()),
            Times.time(slot.endMs()).substring(11, 19),
            100 * slot.knownMs() / slot.stepMs());
  }

  private void drops() {
    for (Drop drop : f.drops()) {
      add(
          "dropped",
          Stream.of(
                  "%d as %s".formatted(drop.points(), drop.reason()),
                  drop.seenMs() == null ? null : "last at " + ago(drop.seenMs()),
                  drop.tMs() == null || drop.detail() != null
                      ? null
                      : "time " + Times.time(drop.tMs()),
                  drop.previousMs() == null
                      ? null
                      : "after one at " + Times.time(drop.previousMs()),
                  drop.detail(),
                  "(" + drop.where() + ")")
              .filter(Objects::nonNull)
              .collect(Collectors.joining(", ")));
    }
  }

  private void rows() {
    if (f.emitted().error() != null) {
      fail("rows", f.emitted().error());
    } else if (f.name().location() != null && f.emitted().slots().isEmpty()) {
      add("rows", "none with a value in the newest %d".formatted(f.emitted().records()));
    }
    f.emitted().slots().forEach(slot -> add("rows", slot(slot) + ", " + slot.place()));
  }

  private String slot(Slot slot) {
    return "%s %s: %s = %s"
        .formatted(
            slot.function(), Spans.format(slot.stepMs()), ago(slot.endMs()), value(slot.value()));
  }

  private void sink() {
    Facts.Sink sink = f.sink();
    if (sink == null || sink.error() != null) {
      add("sink", sink == null ? "not asked (--connect)" : sink.error());
      return;
    }
    add("sink", "%s %s, tasks %s".formatted(sink.connector(), sink.state(), sink.tasks()));
    if (sink.failure() != null) {
      add("sink", sink.failure());
    }
  }

  private void postgres() {
    Facts.Stored stored = f.stored();
    if (stored == null || stored.error() != null) {
      add("postgres", stored == null ? "not asked (--postgres)" : stored.error());
      return;
    }
    if (stored.location() == null) {
      add("postgres", "has no such series");
    } else if (f.name().location() == null || !stored.location().isAt(f.name().location())) {
      add("postgres", "has it at " + at(stored.location()));
    }
    if (stored.location() != null && stored.slots().isEmpty()) {
      add("postgres", "has no value of it");
    }
    stored.slots().forEach(slot -> add("postgres", slot(slot)));
  }

  private void api() {
    Facts.Shown shown = f.shown();
    if (shown == null || shown.error() != null) {
      add("api", shown == null ? "not asked (--api)" : shown.error());
      return;
    }
    add(
        "api",
        "/render from %s: %d of %d values known%s"
            .formatted(
                Times.time(shown.fromMs()),
                shown.known(),
                shown.points(),
                shown.tMs() == null
                    ? ""
                    : ", the newest %s = %s".formatted(ago(shown.tMs()), value(shown.value()))));
  }

  private void lags() {
    List<Lag> late =
        f.lags().stream()
            .filter(lag -> lag.waitsMs() != null && lag.waitsMs() > f.lateMs())
            .toList();
    if (late.size() < f.lags().size()) {
      add(
          "lag",
          "none or less than %s in %d of %d partitions"
              .formatted(Spans.format(f.lateMs()), f.lags().size() - late.size(), f.lags().size()));
    }
    for (Lag lag : late) {
      add(
          "lag",
          "%s: %s at %s of %d, the next record waits for %s"
              .formatted(
                  lag.stage(),
                  lag.partition(),
                  lag.next() == null ? "the begin" : lag.next(),
                  lag.end(),
                  Times.span(lag.waitsMs())));
    }
  }

  private void problems() {
    for (Facts.Problem each : f.problems()) {
      add(
          "status",
          "%s: %s%s"
              .formatted(
                  each.state(), each.text(), each.docs() == null ? "" : "; see " + each.docs()));
    }
  }

  private String ago(long ms) {
    return ms > f.nowMs()
        ? "%s (in %s)".formatted(Times.time(ms), Times.span(ms - f.nowMs()))
        : "%s (%s ago)".formatted(Times.time(ms), Times.span(f.nowMs() - ms));
  }

  private static String value(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(DIGITS)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }
}
