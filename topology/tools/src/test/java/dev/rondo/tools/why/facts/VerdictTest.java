package dev.rondo.tools.why.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.tools.why.facts.Facts.Archive;
import dev.rondo.tools.why.facts.Facts.Asked;
import dev.rondo.tools.why.facts.Facts.Drop;
import dev.rondo.tools.why.facts.Facts.Emitted;
import dev.rondo.tools.why.facts.Facts.Held;
import dev.rondo.tools.why.facts.Facts.Lag;
import dev.rondo.tools.why.facts.Facts.Location;
import dev.rondo.tools.why.facts.Facts.Name;
import dev.rondo.tools.why.facts.Facts.Place;
import dev.rondo.tools.why.facts.Facts.Policy;
import dev.rondo.tools.why.facts.Facts.Problem;
import dev.rondo.tools.why.facts.Facts.Sample;
import dev.rondo.tools.why.facts.Facts.Sent;
import dev.rondo.tools.why.facts.Facts.Shown;
import dev.rondo.tools.why.facts.Facts.Sink;
import dev.rondo.tools.why.facts.Facts.Slot;
import dev.rondo.tools.why.facts.Facts.State;
import dev.rondo.tools.why.facts.Facts.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each cause, as the only difference to a series that is fine: a point every 10 s, 5 s ago. */
class VerdictTest {
  private static final long NOW = 1_777_888_831_000L;
  private static final long NEWEST = NOW - 5_000;
  private static final long HOUR = 3_600_000;
  private static final Location HERE = new Location("default", 65_536, 3, NOW - 24 * HOUR);
  private static final Place ENTRY = new Place("rondo.series", 2, 40);
  private static final Place ROW = new Place("rondo.bundle-rows", 1, 900);

  private Asked asked = new Asked("load", "load", false, null, null);
  private Name name = known(HERE, ENTRY);
  private Policy policy = policy(120_000);
  private Sent sent = sent(point(NEWEST, NOW - 4_000), 10_000L, List.of(1), null);
  private Held held = held(NEWEST, 0, List.of());
  private final List<Drop> drops = new ArrayList<>();
  private Slot row = new Slot("wmean", 10_000, NOW - 11_000, 7.5, ROW, NOW - 4_500);
  private Sink sink = new Sink(null, "rondo-postgres-sink", "RUNNING", List.of("RUNNING"), null);
  private Stored stored = stored(HERE, NOW - 11_000, 901);
  private Shown shown = new Shown(null, NOW - HOUR, 359, 360, 10_000L, NOW - 11_000, 7.5);
  private final List<Lag> lags = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  private static Name known(Location location, Place place) {
    return new Name(
        null, State.KNOWN, location, "points", place, NOW - HOUR, null, null, null, List.of());
  }

  private static Name absent(State state, Long atMs, String deletedBy, String... nearest) {
    return new Name(
        null,
        state,
        null,
        null,
        atMs == null ? null : ENTRY,
        atMs,
        null,
        deletedBy,
        deletedBy == null ? null : atMs,
        List.of(nearest));
  }

  private static Policy policy(long heartbeatMs) {
    return new Policy(
        null,
        3,
        "default",
        "default",
        "default",
        false,
        10_000,
        heartbeatMs,
        0,
        30 * 24 * HOUR,
        List.of(new Archive("wmean", 10_000, 6 * HOUR), new Archive("wmean", 60_000, 168 * HOUR)));
  }

  private static Sample point(long tMs, long writtenMs) {
    return new Sample(new Place("points", 0, 77), writtenMs, "graphite", tMs, 7.5, null, null);
  }

  private static Sample rejected(String reason, long tMs) {
    return new Sample(
        new Place("points", 0, 78), NOW - 1_000, "graphite", tMs, null, reason, "detail");
  }

  private static Sent sent(Sample newest, Long intervalMs, List<Integer> tasks, Sample rejected) {
    int points = newest == null ? 0 : 30;
    return new Sent(
        null,
        List.of("points"),
        100,
        NOW - HOUR,
        points,
        newest,
        intervalMs,
        tasks,
        rejected,
        0,
        null,
        "records may be ahead");
  }

  private static Held held(Long newestMs, int merging, List<String> awaited) {
    return new Held(
        null,
        "http://t1",
        null,
        newestMs == null ? null : HERE,
        newestMs,
        merging,
        awaited,
        0,
        List.of(),
        Map.of("kept", "the topic does not exist; create it"));
  }

  private static Stored stored(Location location, long endMs, long appliedRows) {
    return new Stored(
        null,
        location,
        location == null ? List.of() : List.of(new Slot("wmean", 10_000, endMs, 7.5, null, null)),
        Map.of("rondo.bundle-rows-1", appliedRows, "rondo.series-2", 41L));
  }

  private static Sent unreadable(String detail) {
    var piece =
        new Sample(new Place("points", 1, 5), NOW, "graphite", null, null, "unreadable", detail);
    return new Sent(
        null, List.of("points"), 9, NOW, 0, null, null, List.of(), null, 2, piece, null);
  }

  private Verdict verdict() {
    return Verdict.of(
        new Facts(
            NOW,
            10_000,
            asked,
            name,
            policy,
            sent,
            held,
            drops,
            new Emitted(null, 100, row == null ? List.of() : List.of(row)),
            sink,
            stored,
            shown,
            lags,
            problems));
  }

  private void shouldBe(Cause cause, String... words) {
    Verdict verdict = verdict();
    assertThat(verdict.cause()).as(verdict.sentence()).isEqualTo(cause);
    assertThat(words).allSatisfy(word -> assertThat(verdict.sentence()).contains(word));
    assertThat(verdict.sentence()).doesNotContain("null");
  }

  private void isNot(Name absent) {
    name = absent;
    held = held(null, 0, List.of());
    sent = sent(null, null, List.of(), null);
    stored = stored(null, 0, 901);
    row = null;
  }

  @Test
  void shouldBeFine() {
    shouldBe(Cause.FINE, "7.5");
    held = null; // parts that are not asked
    sink = null;
    stored = null;
    shown = null;
    shouldBe(Cause.FINE);
  }

  @Test
  void shouldNotFindKafka() {
    isNot(Name.failed("refused"));
    policy = Policy.failed("refused");
    sent = Sent.failed("refused");
    shouldBe(Cause.KAFKA_DOWN, "refused");
    problems.add(new Problem("critical", "kafka", "kafka ended: FATAL No space left", null));
    shouldBe(Cause.KAFKA_DOWN, "refused", ": kafka ended: FATAL No space left");
  }

  @Test
  void shouldNameTheNearest() {
    isNot(absent(State.UNKNOWN, null, null, "load1", "road"));
    shouldBe(Cause.NOT_FOUND, "load1, road");
    sent = unreadable("no value: 'load 7'");
    shouldBe(Cause.NOT_FOUND, "points-1 offset 5", "unreadable: no value");
  }

  @Test
  void shouldTellWhoseValuesARenamedSeriesHasBeforeItsFirstPoint() {
    isNot(absent(State.UNKNOWN, null, null, "road"));
    stored = stored(HERE, NOW - HOUR, 901);
    shouldBe(
        Cause.SILENT, "no point of it has come", "up to 2026-05-04T09:00:31Z", "renamed to it");
  }

  @Test
  void shouldTellWhatBecameOfIt() {
    isNot(absent(State.GONE, NOW - HOUR, "alice@ops1"));
    shouldBe(Cause.DELETED, "alice@ops1");
    isNot(absent(State.GONE, NOW - HOUR, null));
    shouldBe(Cause.RETIRED, "30d");
    isNot(
        new Name(
            null, State.RENAMED, HERE, "points", ENTRY, NOW, "new.load", null, null, List.of()));
    shouldBe(Cause.RENAMED, "new.load");
  }

  @Test
  void shouldTellWhyItHasNotBeenMade() {
    isNot(absent(State.UNKNOWN, null, null));
    drops.add(new Drop("http://t1", "no-policy", 3, NOW, NOW, null, null));
    shouldBe(Cause.DROPPED, "no-policy");
    drops.clear();
    sent = sent(point(NEWEST, NOW - 30_000), 10_000L, List.of(1), null);
    held = held(null, 2, List.of("points-1"));
    shouldBe(Cause.MERGE_WAITS, "2", "points-1");
    held = Held.failed("nothing listens at http://t1");
    shouldBe(Cause.TOPOLOGY_DOWN, "http://t1");
    held = held(null, 0, List.of());
    lags.add(new Lag("topology", "points-0", 70L, 80, 25_000L));
    shouldBe(Cause.TOPOLOGY_LATE, "25 s", "10 records of points-0");
  }

  @Test
  void shouldTellThatItsSourceIsSetAside() {
    held =
        new Held(
            null,
            "http://t1",
            null,
            HERE,
            NEWEST,
            0,
            List.of(),
            0,
            List.of(),
            Map.of("points", "the topic does not exist; create it"));
    shouldBe(Cause.SOURCE_SET_ASIDE, "does not read its source points: the topic does not exist");
  }

  @Test
  void shouldIgnoreDropsOfBeforeADeletion() {
    isNot(absent(State.GONE, NOW - HOUR, "alice"));
    drops.add(new Drop("http://t1", "late", 3, NOW - 2 * HOUR, NOW, null, null));
    drops.add(new Drop("http://t1", "deleted", 3, NOW, NOW, null, null));
    shouldBe(Cause.DELETED);
  }

  @ParameterizedTest
  @CsvSource({
    "1777888831,       seconds are read as milliseconds",
    "1777888831000000, milliseconds are read as seconds",
  })
  void shouldTellTheUnit(long tMs, String mistake) {
    sent = sent(null, null, List.of(), rejected("too-far-in-the-future", tMs));
    shouldBe(Cause.WRONG_TIME_UNIT, mistake);
    sent = sent(point(tMs, NOW), null, List.of(1), null);
    shouldBe(Cause.WRONG_TIME_UNIT, mistake);
  }

  @Test
  void shouldTellTheFutureAndThePast() {
    sent = sent(null, null, List.of(), rejected("too-far-in-the-future", NOW + 48 * HOUR));
    shouldBe(Cause.FUTURE_TIME, "too-far-in-the-future", "2026-05-06");
    sent = sent(null, null, List.of(), rejected("too-old", NOW - 9_000 * HOUR));
    shouldBe(Cause.DROPPED, "too-old", "2025-04");
    sent = sent(null, null, List.of(), rejected("too-old", NOW / 1_000));
    shouldBe(Cause.WRONG_TIME_UNIT, "seconds are read as milliseconds");
    sent = sent(point(NOW + 300_000, NOW), 10_000L, List.of(1), null);
    held = held(NOW + 300_000, 0, List.of());
    drops.add(new Drop("http://t1", "late", 3, NOW, NOW, NOW + 300_000, null));
    shouldBe(Cause.FUTURE_TIME, "in the future", "; records may be ahead");
    drops.clear();
    sent = sent(point(NOW - 2 * HOUR, NOW - 3_000), 10_000L, List.of(1), null);
    held = held(NOW - 2 * HOUR, 0, List.of());
    shouldBe(Cause.PAST_TIME, "1 h 59 min before");
  }

  @Test
  void shouldTellTheReasonOfDrops() {
    drops.add(new Drop("http://t1", "late", 3, NOW, NOW - 20_000, NEWEST, null));
    shouldBe(Cause.DROPPED, "late", "after one at 2026-05-04T10:00:26Z");
    drops.set(
        0, new Drop("http://t1", "name-collision", 3, NOW, NOW, null, "value 5.0, after 3.0"));
    shouldBe(Cause.DROPPED, "name-collision", "value 5.0, after 3.0");
    drops.set(0, new Drop("http://t1", "not-a-number", 3, NOW, NOW, null, "value NaN"));
    shouldBe(Cause.NOT_A_NUMBER, "value NaN");
    drops.set(0, new Drop("http://t1", "late", 3, NOW - HOUR, NOW - HOUR, null, null));
    shouldBe(Cause.FINE);
    drops.set(0, new Drop("http://t1", "duplicate-time", 3, NOW, NEWEST, NEWEST, null));
    shouldBe(Cause.FINE); // the first one of the same time counts
    held = held(NOW - HOUR, 0, List.of());
    sent = sent(point(NOW - HOUR, NOW), 10_000L, List.of(1), null);
    shouldBe(Cause.DROPPED, "duplicate-time");
  }

  @Test
  void shouldTellWhereItIsTwice() {
    sent = sent(point(NEWEST, NOW), 10_000L, List.of(0, 1), null);
    shouldBe(Cause.TWO_PARTITIONS, "[0, 1]");
  }

  @Test
  void shouldTellSilence() {
    held = held(NOW - HOUR, 0, List.of());
    sent = sent(null, null, List.of(), null);
    row = null;
    stored = stored(HERE, NOW - HOUR, 901);
    shouldBe(Cause.SILENT, "1 h", "2026-05-04T09:00:31Z");
    held = null;
    shouldBe(Cause.SILENT, "1 h"); // what PostgreSQL has
    sent = unreadable("fields: 2, not path value time: 'load 7'");
    shouldBe(Cause.SILENT, "points-1 offset 5", "'load 7'");
    sent = unreadable("fields: 2, not path value time: 'other 7'");
    assertThat(verdict().sentence()).doesNotContain("unreadable");
  }

  @Test
  void shouldTellGaps() {
    policy = policy(8_000);
    shouldBe(Cause.GAPS, "every 10 s", "heartbeat of 8s");
    policy = policy(0);
    sent = sent(point(NEWEST, NOW), 30_000L, List.of(1), null);
    shouldBe(Cause.GAPS, "every 30 s", "Whisper");
  }

  @Test
  void shouldTellGapsOfASilentSeriesThatNeverHadAValue() {
    policy = policy(8_000);
    sent = sent(point(NOW - HOUR, NOW - HOUR), 10_000L, List.of(1), null);
    held = held(NOW - HOUR, 0, List.of());
    shouldBe(Cause.SILENT, "1 h");
    row = null;
    stored = new Stored(null, HERE, List.of(), stored.applied());
    shouldBe(Cause.GAPS, "every 10 s", "heartbeat of 8s");
  }

  @Test
  void shouldTellMissingArchives() {
    asked = new Asked("load", "load", false, 1_000L, null);
    shouldBe(Cause.NO_SUCH_ARCHIVE, "no archive of 1s", "finest has 10s");
    asked = new Asked("load", "load", false, 10_000L, NOW - 5 * HOUR);
    shouldBe(Cause.FINE);
    asked = new Asked("load", "load", false, 10_000L, NOW - 7 * HOUR);
    shouldBe(Cause.NO_SUCH_ARCHIVE, "reaches back", "finest has 1m");
    asked = new Asked("load", "load", false, null, NOW - 200 * HOUR);
    shouldBe(Cause.NO_SUCH_ARCHIVE, "the longest keeps 7d");
  }

  @Test
  void shouldTellWhatTheTopologyDoes() {
    held = Held.failed("nothing listens at http://t1");
    shouldBe(Cause.TOPOLOGY_DOWN, "http://t1");
    held =
        new Held(
            null,
            "http://t1",
            "Kafka Streams is REBALANCING",
            null,
            null,
            0,
            List.of(),
            0,
            List.of(),
            Map.of());
    shouldBe(Cause.TOPOLOGY_DOWN, "REBALANCING");
    held = held(NOW - 40_000, 3, List.of("points-1"));
    sent = sent(point(NOW - 20_000, NOW - 20_000), 10_000L, List.of(1), null);
    shouldBe(Cause.MERGE_WAITS, "3 of its points", "points-1");
    sent = sent(point(NEWEST, NOW - 4_000), 10_000L, List.of(1), null);
    shouldBe(Cause.FINE); // it waits for a moment only
    lags.add(new Lag("merge", "by-series-1", 70L, 80, 9_000L));
    shouldBe(Cause.FINE);
    lags.set(0, new Lag("merge", "by-series-1", 70L, 80, 11_000L));
    shouldBe(Cause.TOPOLOGY_LATE, "11 s at the merge", "by-series-1");
  }

  @ParameterizedTest
  @CsvSource({
    "MISSING, RUNNING, SINK_MISSING",
    "PAUSED,  PAUSED,  SINK_PAUSED",
    "STOPPED, RUNNING, SINK_PAUSED",
    "RUNNING, FAILED,  SINK_FAILED",
    "FAILED,  RUNNING, SINK_FAILED",
  })
  void shouldTellWhatTheSinkDoes(String state, String task, Cause cause) {
    sink = new Sink(null, "rondo-postgres-sink", state, List.of(task), null);
    shouldBe(cause, "what comes next is not stored");
    stored = stored(HERE, NOW - 21_000, 900);
    shouldBe(cause, "rows after 2026-05-04T10:00:10Z");
    name = known(new Location("other", 65_537, 1, NOW), new Place("rondo.series", 2, 41));
    shouldBe(cause, "the location of the series");
  }

  @Test
  void shouldTellThatTheSinkIsBehind() {
    stored = stored(HERE, NOW - 21_000, 900);
    shouldBe(Cause.FINE); // for a moment
    row = new Slot("wmean", 10_000, NOW - 21_000, 7.5, ROW, NOW - 20_000);
    shouldBe(Cause.SINK_LATE, "20 s", "rondo.bundle-rows-1 offset 900");
    problems.add(new Problem("warning", "sink", "db answers [53100] ERROR: full", "docs/x.md"));
    problems.add(new Problem("warning", "topology", "another", "docs/y.md"));
    shouldBe(Cause.SINK_LATE, "offset 900: db answers [53100] ERROR: full");
    sink = new Sink("nothing listens at http://c1", "rondo-postgres-sink", null, List.of(), null);
    shouldBe(Cause.CONNECT_DOWN, "http://c1");
    sink = null;
    stored = stored(null, 0, 901);
    name = known(HERE, new Place("rondo.series", 2, 41));
    shouldBe(Cause.LOCATION_NOT_APPLIED, "rondo.series-2 offset 41");
  }

  @Test
  void shouldTellThatTheSinkRefuses() {
    drops.add(
        new Drop(
            "rondo.dead-letters", "sink-refused", 1, NOW, null, null, "table ds, SQLSTATE 23514"));
    shouldBe(Cause.SINK_REFUSES, "23514");
    drops.set(
        0, new Drop("rondo.dead-letters", "sink-refused", 1, NOW - HOUR, null, null, "long ago"));
    shouldBe(Cause.FINE);
  }

  @Test
  void shouldTellThatAFormerArchiveHidesWhatLives() {
    policy =
        new Policy(
            null,
            4,
            "default",
            "default",
            "default",
            false,
            10_000,
            120_000,
            0,
            24 * HOUR,
            List.of(new Archive("wmean", 60_000, 7 * 24 * HOUR)));
    held = held(NOW - HOUR / 2, 0, List.of());
    sent = sent(null, null, List.of(), null);
    row = null;
    stored =
        new Stored(
            null,
            HERE,
            List.of(
                new Slot("wmean", 10_000, NOW - HOUR, 1, null, null),
                new Slot("wmean", 60_000, NOW - HOUR / 2, 2, null, null)),
            stored.applied());
    shown = new Shown(null, NOW - 2 * HOUR, 360, 720, 10_000L, NOW - HOUR, 1.0);
    shouldBe(Cause.NOT_SHOWN, "values of 1m up to", "an archive of 10s, which policy default");
    shown = new Shown(null, NOW - 2 * HOUR, 540, 720, 10_000L, NOW - HOUR / 2, 2.0);
    shouldBe(Cause.SILENT, "30 m");
  }

  @Test
  void shouldTellNoValueOfAnArchiveThatThePolicyNoLongerHas() {
    Slot own = new Slot("wmean", 10_000, NOW - 11_000, 7.5, null, null);
    Slot ofOtherLength = new Slot("wmean", 10_000, NOW - 72 * HOUR, 1, null, null);
    Slot finer = new Slot("wmean", 1_000, NOW - 72 * HOUR, 2, null, null);
    stored = new Stored(null, HERE, List.of(finer, ofOtherLength, own), stored.applied());
    shouldBe(Cause.FINE, "ends at 2026-05-04T10:00:20Z", "7.5");
    held = null;
    sent = sent(null, null, List.of(), null);
    row = null;
    shouldBe(Cause.FINE, "ends at 2026-05-04T10:00:20Z"); // not silent for three days
  }

  @Test
  void shouldTellWhatIsDownBehindTheSink() {
    shown = new Shown("nothing listens at http://a1", NOW - HOUR, 0, 0, null, null, null);
    problems.add(new Problem("critical", "postgresql", "[42501] ERROR: denied", "docs/x.md"));
    shouldBe(Cause.API_DOWN, "http://a1", ": [42501] ERROR: denied");
    shown = new Shown(null, NOW - HOUR, 0, 360, 10_000L, null, null);
    shouldBe(Cause.NOT_SHOWN, "shows none");
    stored = Stored.failed("refused");
    shouldBe(Cause.POSTGRES_DOWN, "refused");
  }
}
