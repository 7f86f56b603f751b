package dev.rondo.history.whisper;

import dev.rondo.history.locations.Location;
import dev.rondo.history.locations.Locations;
import dev.rondo.history.slots.SlotSession;
import dev.rondo.rows.WriteMode;
import dev.rondo.schemas.requests.Span;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/** Finds the segments that files are written to, and creates the series that are missing. */
final class SegmentPlan {
  /** Series asked for at a time. */
  private static final int BATCH = 5000;

  private final Path dir;
  private final ImportedFiles files;
  private final WhisperReader reader;
  private final Policies policies;
  private final Locations locations;
  private final WriteMode mode;
  private final Clock clock;
  private final ImportReport report;
  private final Map<String, SegmentFiles> segments = new TreeMap<>();
  private int missing;
  private boolean isRefused;

  SegmentPlan(
      Path dir,
      ImportedFiles files,
      WhisperReader reader,
      Policies policies,
      Locations locations,
      WriteMode mode,
      Clock clock,
      ImportReport report) {
    this.dir = dir;
    this.files = files;
    this.reader = reader;
    this.policies = policies;
    this.locations = locations;
    this.mode = mode;
    this.clock = clock;
    this.report = report;
  }

  /**
   * The segments of all files.
   *
   * @param creates whether series that are missing are created, and slots before the first one
   *     become those of the series; otherwise missing ones are only counted
   */
  Collection<SegmentFiles> of(SlotSession session, Collection<Imported> all, boolean creates)
      throws SQLException, ExecutionException, InterruptedException {
    var batch = new LinkedHashMap<String, Imported>(); // neighbours share segments
    for (Imported one : all) {
      batch.put(one.ident(), one);
      if (batch.size() == BATCH) {
        plan(session, batch, creates);
        batch.clear();
      }
    }
    plan(session, batch, creates);
    return segments.values();
  }

  /** Series that were missing. */
  int missing() {
    return missing;
  }

  private void plan(SlotSession session, Map<String, Imported> batch, boolean creates)
      throws SQLException, ExecutionException, InterruptedException {
    Map<String, Long> fromMs = fromMs(batch);
    Map<String, Location> current =
        session.transaction(connection -> locations.current(connection, fromMs.keySet()));
    Map<String, Span> spans = spans(batch, fromMs, current.keySet());
    missing += spans.size();
    if (creates) {
      locations.markCreated(session, current.keySet());
      Set<String> refused = create(session, spans);
      refused.forEach(ident -> leaveOut(batch.get(ident), fromMs));
      missing -= refused.size();
      locations
          .deletedMs(session, fromMs.keySet())
          .forEach((ident, deletedMs) -> fromMs.merge(ident, deletedMs + 1, Math::max));
      fromMs.putAll(locations.extend(session, fromMs, mode));
    }
    Map<String, List<Location>> periods = periods(session, fromMs.keySet());
    fromMs.forEach(
        (ident, sinceMs) -> add(batch.get(ident), periods.getOrDefault(ident, List.of()), sinceMs));
  }

  /**
   * Returns those that are refused. After a time in which the topology has created none, it is not
   * asked again.
   */
  private Set<String> create(SlotSession session, Map<String, Span> spans)
      throws SQLException, ExecutionException, InterruptedException {
    if (spans.isEmpty() || isRefused) {
      return spans.keySet();
    }
    Set<String> refused = locations.create(session, spans, "", "");
    isRefused = refused.size() == spans.size();
    return refused;
  }

  private void leaveOut(Imported one, Map<String, Long> fromMs) {
    fromMs.remove(one.ident());
    report.leftOut(
        one.file(),
        "its series was not created: the topology refused it (max.series, deleted), or does not run");
  }

  /** Where the slots of each file can begin, epoch ms, as far as the policy keeps them. */
  private Map<String, Long> fromMs(Map<String, Imported> batch) {
    long nowMs = clock.millis();
    var fromMs = new LinkedHashMap<String, Long>();
    batch.forEach(
        (ident, one) ->
            files
                .header(reader, dir, one)
                .ifPresent(
                    header ->
                        fromMs.put(
                            ident,
                            Math.max(
                                0,
                                nowMs - Math.min(header.spanS() * 1000, spanMs(one.policy()))))));
    return fromMs;
  }

  private static long spanMs(Policy policy) {
    return policy.archives().stream()
        .mapToLong(archive -> archive.shape().spanMs())
        .max()
        .orElseThrow();
  }

  /** Of series that are missing; files without a point are left out. */
  private Map<String, Span> spans(
      Map<String, Imported> batch, Map<String, Long> fromMs, Set<String> known) {
    var spans = new LinkedHashMap<String, Span>();
    for (String ident : List.copyOf(fromMs.keySet())) {
      Imported one = batch.get(ident);
      if (!known.contains(ident)) {
        long newestMs = newestMs(one);
        if (newestMs <= fromMs.get(ident)) {
          report.leftOut(one.file(), "it has no point that the policy keeps");
          fromMs.remove(ident);
        } else {
          spans.put(ident, new Span(fromMs.get(ident), newestMs));
        }
      }
    }
    return spans;
  }

  /** End of the newest slot, as it is stored. */
  private long newestMs(Imported one) {
    try {
      long newestS = reader.newestS(dir.resolve(one.file()));
      return newestS * 1000 + (one.policy().isWhisper() ? one.policy().stepMs() : 0);
    } catch (UnreadableFileException e) {
      return 0; // reported as a file without a point
    }
  }

  private Map<String, List<Location>> periods(SlotSession session, Collection<String> idents)
      throws SQLException, ExecutionException, InterruptedException {
    if (mode == WriteMode.FILL) {
      return session.transaction(connection -> locations.periods(connection, idents));
    }
    var periods = new HashMap<String, List<Location>>();
    session
        .transaction(connection -> locations.current(connection, idents))
        .forEach((ident, location) -> periods.put(ident, List.of(location)));
    return periods;
  }

  /** Adds a file to the segments of the periods of its series, the latest first. */
  private void add(Imported one, List<Location> periods, long fromMs) {
    for (int n = 0; n < periods.size(); n++) {
      Location period = periods.get(n);
      Optional<Policy> policy = policies.storing(period.policy());
      if (policy.isPresent()) {
        segments
            .computeIfAbsent(
                period.policy() + "/" + period.seg(),
                each -> new SegmentFiles(policy.get(), period.seg(), new ArrayList<>()))
            .members()
            .add(new Member(one.file(), period, periods.subList(n + 1, periods.size()), fromMs));
      } else {
        report.leftOut(
            one.file(),
            ("its series was in policy %s, which is not among the policies: the slots of that time"
                    + " are not written")
                .formatted(period.policy()));
      }
    }
  }
}
