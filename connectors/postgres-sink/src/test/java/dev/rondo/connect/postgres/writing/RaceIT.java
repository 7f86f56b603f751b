package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.RowModel;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.rows.WriteMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Two tasks write the same rows and locations, as a zombie and its successor may. */
class RaceIT {
  private static final Bundle BUNDLE = new Bundle("p", "wmean", 10_000, 12);
  private static final int PREALLOCATE_SLOTS = 4;
  private static final int LOCATIONS = 3;
  private static final int OWNERS = 4;

  private static TestDatabase database;
  private static Race race;

  @BeforeContainer
  static void start() {
    database = TestDatabase.empty();
    race = new Race(database);
  }

  @AfterContainer
  static void stop() {
    race.close();
  }

  /** Statements: find, preallocate, grow, find, update, upsert; unnecessary ones are skipped. */
  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void shouldHoldTheRowsOfBoth(
      @ForAll("rows") List<Row> before,
      @ForAll("rows") List<Row> ours,
      @ForAll("rows") List<Row> theirs,
      @ForAll @IntRange(min = 1, max = 6) int statement)
      throws Exception {
    database.execute("delete from ts; delete from ds; delete from rra_bundle");
    var model = new RowModel();
    List.of(before, ours, theirs).forEach(rows -> rows.forEach(model::write));
    race.run(rows(before), rows(ours), rows(theirs), statement);
    assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table());
  }

  /**
   * Each location has several owners in turn, known to one task or the other, some of which are
   * stored already. Statements of the first batch: insert, upsert, delete previous series, upsert,
   * delete previous locations.
   */
  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void shouldGiveEachLocationToItsNewestSeries(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 9) int statement) throws Exception {
    database.execute("delete from ds");
    var before = new ArrayList<Change>();
    var tasks = List.of(new ArrayList<Change>(), new ArrayList<Change>());
    var last = new ArrayList<String>();
    for (int location = 1; location <= LOCATIONS; location++) {
      int known = random.nextInt(OWNERS);
      for (int owner = 1; owner <= OWNERS; owner++) {
        var ident = "%d.%d".formatted(location, owner);
        var series =
            new Series(Ident.parse(ident), new Series.Location("p", 5, location), owner, "");
        (owner <= known ? before : tasks.get(random.nextInt(2))).add(series);
      }
      last.add("%d|%d.%d".formatted(location, location, OWNERS));
    }
    tasks.forEach(changes -> Collections.shuffle(changes, random)); // of several partitions
    race.run(series(before), series(tasks.get(0)), series(tasks.get(1)), statement);
    assertThat(database.query("select pos, ident ->> 'name' from ds order by pos")).isEqualTo(last);
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  @Tag("long")
  void shouldGiveEachLocationToItsNewestSeriesInMoreRaces(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 9) int statement) throws Exception {
    shouldGiveEachLocationToItsNewestSeries(random, statement);
  }

  private static Race.Write series(List<Change> changes) {
    return connection -> new SeriesWriter().write(connection, changes);
  }

  private static Race.Write rows(List<Row> rows) {
    return connection -> {
      var ids = new Bundles().ids(connection, Records.changes(rows));
      new BundleRows(PREALLOCATE_SLOTS).write(connection, WriteMode.OVERWRITE, merged(rows), ids);
    };
  }

  private static List<Row> merged(List<Row> rows) {
    var byKey = new TreeMap<Row.Key, Row>();
    rows.forEach(row -> byKey.merge(row.key(), row, (a, b) -> a.then(b, WriteMode.OVERWRITE)));
    return List.copyOf(byKey.values());
  }

  /** What is known of a slot is the same in whoever's row: so the order does not matter. */
  @Provide
  Arbitrary<List<Row>> rows() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 24),
            Arbitraries.integers().between(0, 1 << 10),
            Arbitraries.of(3, 10))
        .as(RaceIT::row)
        .list()
        .ofMinSize(1)
        .ofMaxSize(10);
  }

  /** Values at the positions whose bits are set in {@code known}, up to a length. */
  private static Row row(long slot, int known, int length) {
    double[] dp = new double[length];
    Arrays.setAll(dp, p -> (known >> p & 1) == 1 ? slot * 100 + p : Double.NaN);
    var key = new Row.Key(BUNDLE, 5, (int) (slot % BUNDLE.size()));
    return new Row(key, 40, slot * 10_000, dp);
  }
}
