package dev.rondo.tools.why.facts;

import static dev.rondo.tools.why.facts.Times.span;
import static dev.rondo.tools.why.facts.Times.time;
import static dev.rondo.tools.why.facts.Verdict.found;

import dev.rondo.formats.DropReason;
import dev.rondo.tools.why.facts.Facts.Drop;
import dev.rondo.tools.why.facts.Facts.Lag;
import dev.rondo.tools.why.facts.Facts.Sample;
import dev.rondo.tools.why.facts.Facts.Slot;
import dev.rondo.tools.why.facts.Facts.State;
import dev.rondo.topology.policy.Spans;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Judges the way of points: from the sender through the source to the open slots. */
record PointJudgement(Facts f) {
  /** Points of sources without an order of time may be a little ahead. */
  private static final long AHEAD_MS = 60_000;

  /** A sender whose times are so old does not send them now. */
  private static final long OLD_MS = 3_600_000;

  /** Intervals of a sender after which it is silent. */
  private static final int MISSED = 3;

  private static final List<Unit> UNITS =
      List.of(
          new Unit(1e3, "seconds are read as milliseconds"),
          new Unit(1e6, "seconds are read as microseconds"),
          new Unit(1e9, "seconds are read as nanoseconds"),
          new Unit(1e-3, "milliseconds are read as seconds"),
          new Unit(1e-6, "nanoseconds are read as milliseconds, or microseconds as seconds"),
          new Unit(1e-9, "nanoseconds are read as seconds"));

  /** A time in a wrong unit, times the factor, is about now. */
  private record Unit(double factor, String mistake) {
    boolean explains(long tMs, long nowMs) {
      double ratio = tMs * factor / nowMs;
      return ratio > 0.9 && ratio < 1.1;
    }
  }

  Optional<Verdict> unit() {
    return Stream.of(
            f.sent().newest() == null ? null : f.sent().newest().tMs(),
            f.sent().rejected() == null ? null : f.sent().rejected().tMs(),
            f.held() == null ? null : f.held().newestMs())
        .filter(Objects::nonNull)
        .flatMap(tMs -> UNITS.stream().flatMap(unit -> unit(unit, tMs).stream()))
        .findFirst();
  }

  private Optional<Verdict> unit(Unit unit, long tMs) {
    return unit.explains(tMs, f.nowMs())
        ? found(
            Cause.WRONG_TIME_UNIT,
            "sent with times in another unit: %s, which gives %s"
                .formatted(unit.mistake(), time(tMs)))
        : Optional.empty();
  }

  Optional<Verdict> topology() {
    if (f.held() == null || (f.held().error() == null && f.held().notReady() == null)) {
      return Optional.empty();
    }
    String reason = f.held().error() == null ? f.held().notReady() : f.held().error();
    return f.name().state() == State.KNOWN || f.sent().points() > 0
        ? found(
            Cause.TOPOLOGY_DOWN,
            "the topology does not process points: %s%s".formatted(reason, f.because("topology")))
        : Optional.empty();
  }

  /** The source that has made the series, or in which it was found. */
  Optional<Verdict> source() {
    String topic =
        f.name().source() == null && f.sent().newest() != null
            ? f.sent().newest().place().topic()
            : f.name().source();
    String reason = f.held() == null || topic == null ? null : f.held().setAside().get(topic);
    return reason == null
        ? Optional.empty()
        : found(
            Cause.SOURCE_SET_ASIDE,
            "the topology does not read its source %s: %s".formatted(topic, reason));
  }

  Optional<Verdict> merge() {
    return f.held() == null || f.held().awaited().isEmpty() || !isOverdue()
        ? Optional.empty()
        : found(
            Cause.MERGE_WAITS,
            "%d of its points wait in the merge for %s"
                .formatted(f.held().merging(), String.join(", ", f.held().awaited())));
  }

  /** Whether the newest point of the source should be stored by now. */
  private boolean isOverdue() {
    Sample newest = f.sent().newest();
    return newest != null && f.nowMs() - newest.writtenMs() > f.lateMs();
  }

  Optional<Verdict> partitions() {
    return f.sent().tasks().size() < 2
        ? Optional.empty()
        : found(
            Cause.TWO_PARTITIONS,
            ("in partitions %s at the same time, of which only one is shown: a source is declared"
                    + " keyed, and its records are not keyed by series")
                .formatted(f.sent().tasks()));
  }

  Optional<Verdict> future() {
    Long newestMs = f.held() == null ? null : f.held().newestMs();
    return newestMs == null || newestMs <= f.nowMs() + AHEAD_MS
        ? Optional.empty()
        : found(
            Cause.FUTURE_TIME,
            "its newest point has a time in the future, %s: points before that time are dropped%s"
                .formatted(
                    time(newestMs), f.sent().weakness() == null ? "" : "; " + f.sent().weakness()));
  }

  /** The newest drop that is not older than what was stored last. */
  Optional<Verdict> drop() {
    Stream<Drop> own = f.drops().stream().filter(drop -> DropReason.of(drop.reason()).isPresent());
    Stream<Drop> rejected =
        f.sent().rejected() == null ? Stream.of() : Stream.of(drop(f.sent().rejected()));
    return Stream.concat(own, rejected)
        .filter(this::matters)
        .max(Comparator.comparing(Drop::seenMs))
        .flatMap(this::dropped);
  }

  private static Drop drop(Sample sample) {
    return new Drop(
        sample.place().toString(),
        sample.reason(),
        1,
        sample.writtenMs(),
        sample.tMs(),
        null,
        sample.detail());
  }

  private boolean matters(Drop drop) {
    if (drop.seenMs() == null) {
      return false;
    }
    if (f.name().state() != State.KNOWN) {
      boolean isOfDeletion = drop.reason().equals(DropReason.DELETED.key());
      return !isOfDeletion && (f.name().atMs() == null || drop.isSince(f.name().atMs()));
    }
    if (f.held() == null || f.held().newestMs() == null) {
      return true;
    }
    long newestMs = f.held().newestMs();
    boolean harmsNothing = drop.reason().equals(DropReason.DUPLICATE_TIME.key());
    return harmsNothing
        ? isSilent(newestMs) && drop.isSince(newestMs)
        : drop.isSince(newestMs - f.policy().silenceMs());
  }

  private Optional<Verdict> dropped(Drop drop) {
    boolean isNoNumber = drop.reason().equals(DropReason.NOT_A_NUMBER.key());
    boolean isAhead =
        drop.reason().equals(DropReason.TOO_FAR_IN_THE_FUTURE.key())
            || drop.reason().equals(DropReason.SLOT_TOO_FAR_AHEAD.key());
    Cause cause = isNoNumber ? Cause.NOT_A_NUMBER : isAhead ? Cause.FUTURE_TIME : Cause.DROPPED;
    return found(
        cause,
        "points of it are dropped as %s, last at %s%s%s%s"
            .formatted(
                drop.reason(),
                time(drop.seenMs()),
                drop.tMs() == null ? "" : ": time " + time(drop.tMs()),
                drop.previousMs() == null ? "" : " after one at " + time(drop.previousMs()),
                drop.detail() == null ? "" : ", " + drop.detail()));
  }

  Optional<Verdict> past() {
    Sample newest = f.sent().newest();
    long oldMs = Math.max(OLD_MS, 2 * f.policy().silenceMs());
    return newest == null
            || newest.writtenMs() - newest.tMs() <= oldMs
            || isSilentBy(newest.writtenMs())
        ? Optional.empty()
        : found(
            Cause.PAST_TIME,
            "sent with times in the past: the point written at %s has the time %s, %s before"
                .formatted(
                    time(newest.writtenMs()),
                    time(newest.tMs()),
                    span(newest.writtenMs() - newest.tMs())));
  }

  Optional<Verdict> late() {
    return f.lags().stream()
        .filter(lag -> lag.waitsMs() != null && lag.waitsMs() > f.lateMs())
        .filter(lag -> f.name().state() == State.KNOWN || f.sent().points() > 0)
        .findFirst()
        .flatMap(this::late);
  }

  private Optional<Verdict> late(Lag lag) {
    return found(
        lag.stage().equals("sink") ? Cause.SINK_LATE : Cause.TOPOLOGY_LATE,
        "late by %s at the %s: %d records of %s are not read yet"
            .formatted(
                span(lag.waitsMs()),
                lag.stage(),
                lag.end() - (lag.next() == null ? 0 : lag.next()),
                lag.partition()));
  }

  Optional<Verdict> silence() {
    if (f.stored() != null && f.storedSlots().isEmpty() && gaps().isPresent()) {
      return Optional.empty(); // it had no value before, either
    }
    return newestPointMs()
        .filter(this::isSilent)
        .flatMap(
            newestMs ->
                found(
                    Cause.SILENT,
                    ("silent since %s, for %s: the sender has stopped, or sends elsewhere or under"
                            + " another name%s")
                        .formatted(time(newestMs), span(f.nowMs() - newestMs), unreadable())));
  }

  /** As the topology says, or the source; or else about, by the slots. */
  private Optional<Long> newestPointMs() {
    return Stream.of(
            f.held() == null ? null : f.held().newestMs(),
            f.sent().newest() == null ? null : f.sent().newest().tMs())
        .filter(Objects::nonNull)
        .max(Long::compare)
        .or(
            () ->
                f.finest(
                        Stream.of(f.emitted().slots(), f.storedSlots())
                            .flatMap(List::stream)
                            .toList())
                    .map(Slot::endMs));
  }

  private boolean isSilent(long newestMs) {
    Long intervalMs = f.sent().intervalMs();
    long usualMs =
        intervalMs == null
            ? Math.max(f.policy().silenceMs(), f.policy().stepMs())
            : MISSED * Math.max(intervalMs, f.policy().stepMs());
    return f.nowMs() - newestMs > usualMs + f.lateMs();
  }

  private boolean isSilentBy(long writtenMs) {
    return f.nowMs() - writtenMs > OLD_MS;
  }

  /** A piece that is no point, and names the series. */
  String unreadable() {
    Sample piece = f.sent().unreadablePiece();
    String name = f.asked().ident().split(";", 2)[0];
    return piece == null || piece.detail() == null || !piece.detail().contains(name)
        ? ""
        : "; what names it in %s is unreadable: %s".formatted(piece.place(), piece.detail());
  }

  Optional<Verdict> gaps() {
    Long intervalMs = f.sent().intervalMs();
    if (intervalMs == null || intervalMs <= f.policy().silenceMs()) {
      return Optional.empty();
    }
    return f.policy().heartbeatMs() == 0
        ? found(
            Cause.GAPS,
            "has gaps: a point every %s fills one slot of %s in Whisper mode (step of policy %s)"
                .formatted(
                    span(intervalMs), Spans.format(f.policy().stepMs()), f.policy().inForce()))
        : found(
            Cause.GAPS,
            ("has gaps: a point every %s, and after the heartbeat of %s the time between is"
                    + " unknown (heartbeat of policy %s)")
                .formatted(
                    span(intervalMs),
                    Spans.format(f.policy().heartbeatMs()),
                    f.policy().inForce()));
  }
}
