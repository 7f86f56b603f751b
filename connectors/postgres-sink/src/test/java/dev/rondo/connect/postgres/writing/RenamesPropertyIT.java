package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.PostgresSinkTask;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.schemas.SeriesEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The entries of a series are in order, those of different series are not: whichever way entries
 * around renamings are interleaved, and read again, the tables end up the same. No series takes
 * part in two renamings.
 */
class RenamesPropertyIT {
  private static final String PERIODS =
      """
      select coalesce(ds.ident, displaced_ident) ->> 'name', s.policy, s.seg, s.pos, s.starts_at, ends_at, reassigned_at,
             renamed_from ->> 'name', displaced_ident is null
      from location_period as s left join ds on ds.id = ds_id and displaced_ident is null
      order by 1, number, s.starts_at
      """;
  private static final String BROKEN =
      """
      select ident from ds
      where period <> (select max(number) from location_period where ds_id = id)
         or (policy, seg, pos, starts_at) not in (
              select policy, seg, pos, starts_at from location_period where ds_id = id and number = period)
      """;

  private static TestDatabase database;
  private static PostgresSinkTask task;

  @BeforeContainer
  static void start() {
    database = TestDatabase.empty();
    task = TaskContext.start(database.taskConfig(), new TaskContext(false));
  }

  @AfterContainer
  static void stop() {
    task.stop();
  }

  @Property(tries = 20)
  void shouldEndUpTheSame(@ForAll long seed, @ForAll @IntRange(min = 2, max = 25) int steps) {
    var random = new Random(seed);
    var story = new Story(random, true, steps);
    write(story.before, story.around);
    List<String> periods = database.query(PERIODS);
    assertThat(database.query(BROKEN)).isEmpty();
    for (int n = 0; n < 3; n++) {
      write(story.before, interleaved(story.around, random));
      assertThat(database.query(PERIODS)).as("interleaved: %s", story).isEqualTo(periods);
      assertThat(database.query(BROKEN)).isEmpty();
    }
  }

  /** As long as no other series has got one of the positions. */
  @Property(tries = 30)
  void shouldEndUpTheSameWhenReadAgain(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 15) int steps) {
    var random = new Random(seed);
    var story = new Story(random, false, steps);
    write(story.before, story.around);
    List<String> periods = database.query(PERIODS);
    for (String ident : Story.IDENTS) {
      List<SeriesEntry> log =
          Stream.concat(story.before.stream(), story.around.stream())
              .filter(entry -> entry.getIdent().equals(ident))
              .toList();
      int from = random.nextInt(log.size() + 1);
      log.subList(from, log.size()).forEach(entry -> task.put(List.of(Records.series(entry))));
      assertThat(database.query(PERIODS))
          .as("%s from %d: %s", ident, from, story)
          .isEqualTo(periods);
      assertThat(database.query(BROKEN)).isEmpty();
    }
  }

  /** From empty tables, each entry by itself. */
  private static void write(List<SeriesEntry> before, List<SeriesEntry> around) {
    database.execute("delete from ds; delete from location_period");
    before.forEach(entry -> task.put(List.of(Records.series(entry))));
    around.forEach(entry -> task.put(List.of(Records.series(entry))));
  }

  /** The entries of each series in order. */
  private static List<SeriesEntry> interleaved(List<SeriesEntry> entries, Random random) {
    Map<String, List<SeriesEntry>> bySeries = new LinkedHashMap<>();
    entries.forEach(
        entry -> bySeries.computeIfAbsent(entry.getIdent(), i -> new ArrayList<>()).add(entry));
    var left = new ArrayList<>(bySeries.values());
    var all = new ArrayList<SeriesEntry>();
    while (!left.isEmpty()) {
      List<SeriesEntry> one = left.get(random.nextInt(left.size()));
      all.add(one.remove(0));
      left.removeIf(List::isEmpty);
    }
    return all;
  }

  /** What the topology emits: what is old when series are renamed, and what is emitted around. */
  private static final class Story {
    private static final List<String> IDENTS = List.of("a", "b", "c", "d", "e", "f");

    private final List<SeriesEntry> before = new ArrayList<>();
    private final List<SeriesEntry> around = new ArrayList<>();
    private final Random random;
    private final boolean reusesPositions;
    private final Map<String, SeriesEntry> series = new HashMap<>();
    private final Set<String> renamed = new HashSet<>();
    private final List<Integer> free = new ArrayList<>();
    private int positions;
    private long nowMs;

    private Story(Random random, boolean reusesPositions, int steps) {
      this.random = random;
      this.reusesPositions = reusesPositions;
      for (int n = 0; n < steps; n++) {
        locate(before, any());
      }
      for (int n = 0; n < steps; n++) {
        SeriesEntry old = series.get(any());
        String to = any();
        if (random.nextBoolean() && before.contains(old) && mayRename(old.getIdent(), to)) {
          rename(old, to);
        } else {
          locate(around, any());
        }
      }
    }

    private boolean mayRename(String old, String to) {
      return !old.equals(to) && !renamed.contains(old) && !renamed.contains(to);
    }

    private String any() {
      return IDENTS.get(random.nextInt(IDENTS.size()));
    }

    /** A series begins or moves. */
    private void locate(List<SeriesEntry> entries, String ident) {
      nowMs += 10_000;
      var entry = new SeriesEntry(ident, "p", 0, position(), nowMs, "", "", 0L);
      series.put(ident, entry);
      entries.add(entry);
    }

    private int position() {
      return !reusesPositions || free.isEmpty() || random.nextBoolean()
          ? ++positions
          : free.remove(random.nextInt(free.size()));
    }

    private void rename(SeriesEntry old, String to) {
      nowMs += 10_000;
      renamed.addAll(List.of(old.getIdent(), to));
      series.remove(old.getIdent());
      free.add(old.getPos());
      around.add(
          new SeriesEntry(old.getIdent(), "p", 0, old.getPos(), old.getStartsAt(), "", to, nowMs));
    }

    @Override
    public String toString() {
      return Stream.concat(before.stream(), around.stream())
          .map(SeriesEntry::toString)
          .collect(Collectors.joining("\n"));
    }
  }
}
