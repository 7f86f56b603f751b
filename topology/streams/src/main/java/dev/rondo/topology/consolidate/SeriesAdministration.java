package dev.rondo.topology.consolidate;

import dev.rondo.formats.DropReason;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.Ident;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Point;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesEntry;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.topology.drops.Drops;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.segment.Segment;
import dev.rondo.topology.segment.TaskClock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the series of a task for their first points, and creates, renames, deletes and retires
 * them. Keeps the merge up to date with the index, and emits locations.
 */
final class SeriesAdministration {
  private static final Logger LOG = LoggerFactory.getLogger(SeriesAdministration.class);

  private final int partition;
  private final Consolidate.Settings settings;
  private final SeriesIndex index;
  private final SeriesLocations locations;
  private final DeletedSeries deleted;
  private final MergeBufferStore<SeriesIndex.Location> mergeBuffer;
  private final TaskOutput output;
  private final SourceMetrics sources;
  private final ConsolidateMetrics metrics;
  private final Drops drops;
  private final TaskClock clock;

  /** By source topic, so that no source uses up the limit of others. */
  private final Map<String, NewSeriesRateLimit> limits = new HashMap<>();

  private Policies policies;

  SeriesAdministration(
      Consolidate.Shared shared,
      int partition,
      SeriesIndex index,
      DeletedSeries deleted,
      MergeBufferStore<SeriesIndex.Location> mergeBuffer,
      TaskOutput output,
      ConsolidateMetrics metrics,
      TaskClock clock) {
    this.partition = partition;
    this.settings = shared.settings();
    this.index = index;
    this.locations = shared.locations();
    this.deleted = deleted;
    this.mergeBuffer = mergeBuffer;
    this.output = output;
    this.sources = shared.sources();
    this.metrics = metrics;
    this.drops = shared.drops();
    this.clock = clock;
  }

  /** Sets the policies of new series. */
  void use(Policies latest) {
    policies = latest;
  }

  /**
   * Registers a new series and returns its location; null if it is refused, which is counted.
   *
   * @param policyName policy that the source names; empty = none
   */
  SeriesIndex.Location admit(
      String policyName, Point first, Supplier<SourceMetrics.Topic> firstSource) {
    Optional<Policy> policy = policy(policyName, first.getIdent());
    Optional<DropReason> refusal = refusal(policy);
    if (refusal.isPresent()) {
      drops.count(refusal.get(), first.getIdent(), first.getT());
      return null;
    }
    SourceMetrics.Topic source = firstSource.get();
    refusal = index.refusal(policy.get(), first.getT());
    if (refusal.isEmpty() && !limit(source).take(first.getT(), clock.wallMs())) {
      refusal = Optional.of(DropReason.TOO_MANY_NEW_SERIES);
    }
    if (refusal.isPresent()) {
      drops.count(refusal.get(), first.getIdent(), first.getT());
      source.refused();
      return null;
    }
    return register(first.getIdent(), policy.get(), first.getT(), source);
  }

  /**
   * Returns the policy of a new series. Points decoded before a restart may name a removed policy.
   */
  private Optional<Policy> policy(String name, String ident) {
    return policies.named(name).or(() -> policies.of(Ident.parse(ident)));
  }

  /** Returns why a policy, or the lack of one, refuses a series; empty if it does not. */
  private static Optional<DropReason> refusal(Optional<Policy> policy) {
    if (policy.isEmpty()) {
      return Optional.of(DropReason.NO_POLICY);
    }
    return policy.get().drops() ? Optional.of(DropReason.POLICY_DROPS) : Optional.empty();
  }

  private NewSeriesRateLimit limit(SourceMetrics.Topic source) {
    return limits.computeIfAbsent(
        source.name(),
        added ->
            new NewSeriesRateLimit(
                settings.newSeriesPerSecond(), settings.newSeriesBurst(), settings.partitions()));
  }

  /**
   * Registers a new series.
   *
   * @param startsAtMs time of its first point, epoch ms
   * @param source topic of that point
   */
  private SeriesIndex.Location register(
      String ident, Policy policy, long startsAtMs, SourceMetrics.Topic source) {
    output.location(index.register(ident, policy, startsAtMs, source));
    metrics.registered(policy);
    source.registered();
    SeriesIndex.Location location = index.find(ident);
    mergeBuffer.registered(location);
    location.segment().confirmLocation(location.series());
    return location;
  }

  /** Emits the location of a series again if a replay stores an earlier first point. */
  void began(Segment segment, int series, long tMs) {
    index.moveStartsAt(segment, series, tMs).ifPresent(output::location);
  }

  void handle(SeriesRequest request) {
    if (request.getRequest() instanceof DeleteSeries delete) {
      delete(request, delete);
    } else if (request.getRequest() instanceof RenameSeries rename) {
      rename(request, rename);
    } else if (request.getRequest() instanceof CreateSeries create) {
      create(request, create);
    }
  }

  private void delete(SeriesRequest request, DeleteSeries delete) {
    long silentSinceMs = delete.getSilentSince() == null ? Long.MAX_VALUE : delete.getSilentSince();
    long count =
        delete.getIdents().stream()
            .filter(ident -> deleteOne(ident, request.getAt(), silentSinceMs))
            .count();
    if (count > 0) {
      metrics.deleted(count);
      LOG.info(
          "partition {}: deleted {} series, requested by {}", partition, count, request.getBy());
    }
  }

  /**
   * Deletes a series and its points so far. A request older than the series has no effect: it was
   * made for an earlier series of the same ident, and is being reread. Returns whether the series
   * existed.
   *
   * @param atMs time of the request, epoch ms
   * @param silentSinceMs a series with a point after this time, epoch ms, is not deleted
   */
  private boolean deleteOne(String ident, long atMs, long silentSinceMs) {
    SeriesIndex.Location location = index.find(ident);
    if (location == null) {
      return deleteReleased(ident, atMs);
    }
    long newestMs = location.segment().newestMs(location.series());
    if (location.startsAtMs() > atMs || newestMs > silentSinceMs) {
      return false;
    }
    deleted.add(ident, Math.max(atMs, newestMs), index.entry(ident).getSource());
    remove(location.segment(), location.series());
    return true;
  }

  private boolean deleteReleased(String ident, long atMs) {
    SeriesEntry released = index.deleteReleased(ident);
    if (released != null) {
      output.tombstone(ident);
      deleted.add(ident, atMs, released.getSource());
    } else {
      deleted.extend(ident, atMs);
    }
    return released != null;
  }

  private void rename(SeriesRequest request, RenameSeries rename) {
    long count =
        rename.getRenames().stream().filter(each -> renameOne(each, request.getAt())).count();
    if (count > 0) {
      metrics.renamed(count);
      LOG.info(
          "partition {}: renamed {} series, requested by {}", partition, count, request.getBy());
    }
  }

  /**
   * Ends a series; the sink moves its history to another series, perhaps of another task. Later
   * points start a new series. As with a deletion, a request older than the series has no effect.
   * Returns whether the series existed.
   *
   * @param requestedMs time of the request, epoch ms
   */
  private boolean renameOne(Rename rename, long requestedMs) {
    String ident = rename.getIdent();
    SeriesIndex.Location location = index.find(ident);
    if (location != null && location.startsAtMs() > requestedMs) {
      return false;
    }
    SeriesEntry entry = location == null ? index.deleteReleased(ident) : index.entry(ident);
    if (entry == null) {
      return false;
    }
    long atMs = location == null ? requestedMs : Math.max(requestedMs, end(location));
    deleted.add(ident, atMs, entry.getSource());
    if (!locations.isElsewhere(ident, partition)) {
      output.location(
          SeriesEntry.newBuilder(entry).setRenamedTo(rename.getTo()).setRenamedAt(atMs).build());
    }
    return true;
  }

  /** Emits the open slots of a series, frees its position and returns its newest time, epoch ms. */
  private long end(SeriesIndex.Location location) {
    Segment segment = location.segment();
    segment.end(location.series());
    long newestMs = segment.newestMs(location.series());
    mergeBuffer.retired(index.retire(segment, location.series()));
    return newestMs;
  }

  private void create(SeriesRequest request, CreateSeries create) {
    SourceMetrics.Topic source = sources.topic(create.getSource());
    Map<String, Integer> refused = new TreeMap<>();
    int created = 0;
    for (NewSeries series : create.getSeries()) {
      String ident = series.getIdent();
      if (index.find(ident) != null || locations.isElsewhere(ident, partition)) {
        continue;
      }
      Optional<Policy> policy = policy(create.getPolicy(), ident);
      Optional<DropReason> refusal = refusal(policy, series);
      if (refusal.isPresent()) {
        refused.merge(refusal.get().key(), 1, Integer::sum);
      } else {
        createOne(series, policy.get(), source);
        created++;
      }
    }
    metrics.created(created);
    LOG.info(
        "partition {}: created {} series, refused {}, requested by {}",
        partition,
        created,
        refused,
        request.getBy());
  }

  /**
   * Returns why a series is not created; empty if it is. The rate limit of new series does not
   * apply.
   */
  private Optional<DropReason> refusal(Optional<Policy> policy, NewSeries series) {
    if (deleted.covers(series.getIdent(), series.getUntil())) {
      return Optional.of(DropReason.DELETED);
    }
    return refusal(policy).or(() -> index.refusal(policy.get(), series.getFrom()));
  }

  /** The new series starts after the last deletion, so that deleted slots stay hidden. */
  private void createOne(NewSeries series, Policy policy, SourceMetrics.Topic source) {
    String ident = series.getIdent();
    long startsAtMs = Math.max(series.getFrom(), deleted.untilMs(ident) + 1);
    SeriesIndex.Location location = register(ident, policy, startsAtMs, source);
    location.segment().markStoredUntil(location.series(), series.getUntil());
  }

  /** Retires a series that has expired. */
  void retire(Segment segment, int series) {
    remove(segment, series);
    metrics.retired(segment.policy());
  }

  private void remove(Segment segment, int series) {
    SeriesIndex.Location location = index.retire(segment, series);
    mergeBuffer.retired(location);
    String ident = location.ident();
    if (!locations.isElsewhere(ident, partition)) {
      output.tombstone(ident);
    }
  }

  /**
   * Emits the locations of series that have returned from another partition, after a change of
   * their key or of {@code keyed}: the last emitted location is the one there.
   */
  void emitLocationsAgain(Iterable<Segment> segments) {
    if (!locations.isKnown()) {
      return;
    }
    for (Segment segment : segments) {
      segment.forEachConfirmed(series -> emitIfElsewhere(segment.ident(series)));
    }
  }

  private void emitIfElsewhere(String ident) {
    if (ident != null && locations.isElsewhere(ident, partition)) {
      output.location(index.entry(ident));
    }
  }
}
