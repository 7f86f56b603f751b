package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Points;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.order.Batch;
import dev.rondo.topology.order.Progress;
import dev.rondo.topology.order.SourceHeaders;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.SilenceClocks;
import dev.rondo.topology.segment.TaskClock;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The way of a point through a task: it is buffered until no source partition can bring an older
 * one, its series is found or registered, and it is added to the segment of the series.
 */
final class PointPath {
  private final ProcessingContext context;
  private final boolean merging;
  private final TaskClock clock;
  private final SilenceClocks silence;
  private final MergeBufferStore<SeriesIndex.Location> mergeBuffer;
  private final SeriesIndex index;
  private final DeletedSeries deleted;
  private final SeriesAdministration administration;
  private final PointArrival arrival;
  private final SourceMetrics sources;
  private final Drops drops;
  private Policies policies;

  /** Whether any policy drops its series; cached because every point reads it. */
  private boolean haveDropping;

  PointPath(
      Consolidate.Shared shared,
      ProcessingContext context,
      TaskClock clock,
      SilenceClocks silence,
      MergeBufferStore<SeriesIndex.Location> mergeBuffer,
      SeriesIndex index,
      DeletedSeries deleted,
      SeriesAdministration administration,
      PointArrival arrival) {
    this.context = context;
    this.merging = shared.settings().merged().isMerging();
    this.clock = clock;
    this.silence = silence;
    this.mergeBuffer = mergeBuffer;
    this.index = index;
    this.deleted = deleted;
    this.administration = administration;
    this.arrival = arrival;
    this.sources = shared.sources();
    this.drops = shared.drops();
  }

  /** Sets the policies that decide which points are dropped. */
  void use(Policies latest) {
    policies = latest;
    haveDropping = latest.haveDropping();
  }

  /**
   * Takes the points of a record of a keyed source, or of by-series, which has the header {@link
   * SourceHeaders#SOURCE_HEADER}.
   *
   * @param recordMs time of the record, epoch ms
   */
  void take(Points points, Headers headers, long recordMs) {
    Header source = headers.lastHeader(SourceHeaders.SOURCE_HEADER);
    if (source == null) {
      context.recordMetadata().ifPresent(from -> arrival.begin(from, recordMs));
      addAll(points, null);
    } else if (merging) {
      merge(source.value(), headers, points);
    } else {
      releaseAll();
      arrival.received(source.value(), headers, points.getPoints().size());
      arrival.begin(source.value(), headers);
      addAll(points, ByteBuffer.wrap(source.value()));
    }
  }

  private void merge(byte[] source, Headers headers, Points points) {
    if (SourceHeaders.holdProgress(headers)) {
      SourceHeaders.forEachProgress(
          headers, (id, progress) -> mergeBuffer.reach(id, progress, clock.wallMs()));
    } else {
      arrival.received(source, headers, points.getPoints().size());
      Progress progress =
          SourceHeaders.forEachRecord(
              headers,
              points.getPoints(),
              (offset, streamTimeMs, batch) ->
                  mergeBuffer.add(source, offset, streamTimeMs, points.getPolicy(), batch));
      mergeBuffer.reach(source, progress, clock.wallMs());
    }
  }

  /**
   * Adds the buffered points that no older point can precede. Returns the number of points added
   * early for lack of memory.
   */
  int release() {
    return mergeBuffer.release(this::addReleased);
  }

  void releaseAll() {
    mergeBuffer.releaseAll(this::addReleased);
  }

  private void addReleased(Batch batch, int n, SeriesIndex.Location known) {
    arrival.begin(batch);
    add(batch.policy(), batch.source(), batch.points().get(n), known);
  }

  private void addAll(Points points, ByteBuffer source) {
    for (Point point : points.getPoints()) {
      add(points.getPolicy(), source, point, index.find(point.getIdent()));
    }
  }

  /**
   * @param policy policy that the source names; empty = none
   * @param source id of the source partition; null = that of the current record
   * @param known location of the series; null for a new one
   */
  private void add(String policy, ByteBuffer source, Point point, SeriesIndex.Location known) {
    if ((known == null || point.getT() < known.startsAtMs())
        && deleted.covers(point.getIdent(), point.getT())) {
      drops.count(DropReason.DELETED, point.getIdent(), point.getT());
      return;
    }
    if (haveDropping && known != null && isDropped(policy, known)) {
      drops.count(DropReason.POLICY_DROPS, point.getIdent(), point.getT());
      return;
    }
    SeriesIndex.Location location =
        known == null ? administration.admit(policy, point, () -> topic(source)) : known;
    if (location != null) {
      clock.see(point.getT());
      silence.see(clock.newestMs());
      location.segment().add(location.series(), point.getT(), point.getV());
    }
  }

  private boolean isDropped(String policy, SeriesIndex.Location location) {
    return policy.isEmpty()
        ? location.isDropped()
        : policies.named(policy).map(Policy::drops).orElse(location.isDropped());
  }

  private SourceMetrics.Topic topic(ByteBuffer source) {
    return sources.topic(
        source == null
            ? context.recordMetadata().map(RecordMetadata::topic).orElse("")
            : SourceHeaders.topic(source));
  }
}
