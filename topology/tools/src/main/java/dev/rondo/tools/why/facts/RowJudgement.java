package dev.rondo.tools.why.facts;

import static dev.rondo.tools.why.facts.Times.span;
import static dev.rondo.tools.why.facts.Times.time;
import static dev.rondo.tools.why.facts.Verdict.found;

import dev.rondo.formats.DropReason;
import dev.rondo.tools.why.facts.Facts.Slot;
import dev.rondo.topology.policy.Spans;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Judges the way of rows: from the topology through the sink and PostgreSQL to the query API. */
record RowJudgement(Facts f) {
  Optional<Verdict> database() {
    return f.stored() == null || f.stored().error() == null
        ? Optional.empty()
        : found(
            Cause.POSTGRES_DOWN,
            "PostgreSQL does not answer: %s%s"
                .formatted(f.stored().error(), f.because("postgres")));
  }

  /** The entry of the series is not applied. */
  Optional<Verdict> location() {
    if (f.stored() == null
        || (f.stored().location() != null && f.stored().location().isAt(f.name().location()))
        || isApplied(f.name().place())) {
      return Optional.empty();
    }
    return sinkFault("the location of the series is not in PostgreSQL")
        .or(
            () ->
                found(
                    Cause.LOCATION_NOT_APPLIED,
                    "the sink has not applied the location that the series has since %s (%s)%s"
                        .formatted(time(f.name().atMs()), f.name().place(), f.because("sink"))));
  }

  /** Rows of the series are not applied. */
  Optional<Verdict> rows() {
    if (f.stored() == null) {
      return Optional.empty();
    }
    Optional<Slot> waiting =
        f.emitted().slots().stream()
            .filter(slot -> !isApplied(slot.place()))
            .min(Comparator.comparing(slot -> slot.place().offset()));
    return waiting
        .flatMap(
            slot ->
                sinkFault(
                        newestFinestMs() == Long.MIN_VALUE
                            ? "its rows are not in PostgreSQL"
                            : "rows after %s are not in PostgreSQL"
                                .formatted(time(newestFinestMs())))
                    .or(() -> sinkLate(slot)))
        .or(this::refused);
  }

  private boolean isApplied(Facts.Place place) {
    Long next = f.stored().applied().get(place.topic() + "-" + place.partition());
    return next != null && next > place.offset();
  }

  private Optional<Verdict> sinkFault(String effect) {
    Facts.Sink sink = f.sink();
    if (sink == null || (sink.error() == null && sink.runs())) {
      return Optional.empty();
    }
    if (sink.error() != null) {
      return found(
          Cause.CONNECT_DOWN,
          "Connect does not answer, %s: %s%s"
              .formatted(effect, sink.error(), f.because("connect")));
    }
    return switch (sink.state()) {
      case "MISSING" ->
          found(
              Cause.SINK_MISSING,
              "Connect has no connector %s, %s".formatted(sink.connector(), effect));
      case "PAUSED", "STOPPED" ->
          found(
              Cause.SINK_PAUSED,
              "the sink %s is %s, %s: resume it"
                  .formatted(sink.connector(), sink.state().toLowerCase(Locale.ROOT), effect));
      default ->
          found(
              Cause.SINK_FAILED,
              "the sink %s does not run (%s; tasks %s), %s%s"
                  .formatted(
                      sink.connector(),
                      sink.state(),
                      sink.tasks(),
                      effect,
                      sink.failure() == null ? "" : ": " + sink.failure()));
    };
  }

  private Optional<Verdict> sinkLate(Slot slot) {
    long waitsMs = f.nowMs() - slot.atMs();
    return waitsMs <= f.lateMs()
        ? Optional.empty()
        : found(
            Cause.SINK_LATE,
            "late by %s at the sink, which has not applied the row at %s%s"
                .formatted(span(waitsMs), slot.place(), f.because("sink")));
  }

  private Optional<Verdict> refused() {
    return f.drops().stream()
        .filter(drop -> DropReason.of(drop.reason()).isEmpty())
        .filter(drop -> drop.isSince(newestStoredMs()))
        .findFirst()
        .flatMap(
            drop ->
                found(
                    Cause.SINK_REFUSES,
                    "PostgreSQL or the sink refused its records (%s) at %s: %s"
                        .formatted(drop.reason(), time(drop.seenMs()), drop.detail())));
  }

  private long newestStoredMs() {
    return f.storedSlots().stream().mapToLong(Slot::endMs).max().orElse(Long.MIN_VALUE);
  }

  Optional<Verdict> idleSink() {
    return sinkFault("what comes next is not stored");
  }

  Optional<Verdict> api() {
    return f.shown() == null || f.shown().error() == null
        ? Optional.empty()
        : found(
            Cause.API_DOWN,
            "the query API does not answer: %s%s"
                .formatted(f.shown().error(), f.because("postgresql", "api")));
  }

  /** PostgreSQL has slots, of any archive, wholly after what the query API shows. */
  Optional<Verdict> hidden() {
    if (f.shown() == null || f.shown().error() != null) {
      return Optional.empty();
    }
    Long tMs = f.shown().tMs();
    long shownMs = tMs == null ? f.shown().fromMs() : tMs + stepShownMs();
    return f.storedSlots().stream()
        .filter(slot -> slot.endMs() < f.nowMs() - f.lateMs())
        .filter(slot -> slot.endMs() - slot.stepMs() >= shownMs)
        .max(Comparator.comparing(Slot::endMs))
        .flatMap(
            slot ->
                found(
                    Cause.NOT_SHOWN,
                    "PostgreSQL has values of %s up to %s, and the query API shows %s: %s"
                        .formatted(
                            Spans.format(slot.stepMs()),
                            time(slot.endMs()),
                            tMs == null ? "none" : "them up to " + time(tMs),
                            hiddenBy())));
  }

  private String hiddenBy() {
    Long stepMs = f.shown().stepMs();
    boolean isFormer =
        stepMs != null && !f.policy().archives().isEmpty() && !f.policy().hasStep(stepMs);
    return isFormer
        ? "it answers from an archive of %s, which policy %s no longer has"
            .formatted(Spans.format(stepMs), f.policy().inForce())
        : "it reads another database, or its token another scope";
  }

  private long stepShownMs() {
    return f.shown().stepMs() == null ? 0 : 2 * f.shown().stepMs();
  }

  private long newestFinestMs() {
    return f.finest(f.storedSlots()).map(Slot::endMs).orElse(Long.MIN_VALUE);
  }
}
