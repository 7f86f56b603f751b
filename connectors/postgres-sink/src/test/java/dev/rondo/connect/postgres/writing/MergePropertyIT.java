package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Retirement;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import dev.rondo.connect.postgres.connection.Database;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.RowModel;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** However changes are cut into puts, the tables end up the same: our merge is PostgreSQL's. */
class MergePropertyIT {
  private static final List<Bundle> BUNDLES =
      List.of(
          new Bundle("p", "wmean", 10_000, 2),
          new Bundle("p", "max", 10_000, 12),
          new Bundle("q", "wmean", 60_000, 30));
  private static final String LATEST =
      "select max(ts.t) = b.latest from ts join rra_bundle b on b.id = rra_bundle_id group by b.id";
  private static final String LOST =
      "select from ts, unnest(dp) v where t = '-infinity' and v <> 'NaN'";
  private static TestDatabase database;
  private static Database connection;

  @BeforeContainer
  static void start() {
    database = TestDatabase.empty();
    connection = new Database(PostgresSinkConfig.of(database.taskConfig()));
  }

  @AfterContainer
  static void stop() {
    connection.close();
  }

  /** In one put, in two, or one by one: as {@link RowModel} says, and a second time nothing. */
  @Property(tries = 20)
  void shouldHoldWhatTheModelHolds(
      @ForAll("rows") List<Row> rows, @ForAll("preallocations") int preallocateSlots)
      throws SQLException {
    var model = new RowModel();
    rows.forEach(model::write);
    List<Change> changes = List.copyOf(Records.changes(rows));
    int half = rows.size() / 2;
    for (List<List<Change>> puts :
        List.of(
            changes.stream().map(List::of).toList(),
            List.of(changes),
            List.of(changes.subList(0, half), changes.subList(half, rows.size())))) {
      empty();
      write(puts, preallocateSlots);
      assertThat(database.query(RowModel.TABLE)).isEqualTo(model.table());
      assertThat(database.query(LATEST)).containsOnly("t");
      assertThat(database.query(LOST)).as("preallocated rows with values").isEmpty();

      List<String> versions = database.query("select ctid, xmin from ts order by ctid");
      write(List.of(changes), preallocateSlots);
      assertThat(database.query("select ctid, xmin from ts order by ctid"))
          .as("written again")
          .isEqualTo(versions);
    }
  }

  @Property(tries = 20)
  void shouldStoreSeriesInOnePutAsOneByOne(@ForAll("entries") List<Change> entries)
      throws SQLException {
    shouldBeTheSame(
        entries, "select ident, policy, seg, pos, starts_at, source from ds order by pos");
  }

  /** As after a crash: what was not committed comes again, from anywhere on to the end. */
  @Property(tries = 20)
  void shouldStoreSeriesTheSameWhenDeliveredAgain(
      @ForAll("entries") List<Change> entries, @ForAll @IntRange(max = 11) int from)
      throws SQLException {
    String table = "select ident, policy, seg, pos, starts_at, source from ds order by pos";
    empty();
    write(List.of(entries), 28);
    List<String> once = database.query(table);
    List<Change> again = entries.subList(Math.min(from, entries.size() - 1), entries.size());
    empty();
    write(List.of(entries, again), 28);
    assertThat(database.query(table)).isEqualTo(once);
  }

  @Property(tries = 200)
  @Tag("long")
  void shouldHoldWhatTheModelHoldsInMoreCases(
      @ForAll("rows") List<Row> rows, @ForAll("preallocations") int preallocateSlots)
      throws SQLException {
    shouldHoldWhatTheModelHolds(rows, preallocateSlots);
  }

  @Property(tries = 200)
  @Tag("long")
  void shouldStoreMoreSeriesTheSame(
      @ForAll("entries") List<Change> entries, @ForAll @IntRange(max = 11) int from)
      throws SQLException {
    shouldStoreSeriesInOnePutAsOneByOne(entries);
    shouldStoreSeriesTheSameWhenDeliveredAgain(entries, from);
  }

  /** Two rounds of small archives, rows of all lengths, in any order. */
  @Provide
  Arbitrary<List<Row>> rows() {
    Arbitrary<double[]> dp =
        Arbitraries.of(Double.NaN, Double.NaN, -0.0, 0.0, 1.5, -3.0)
            .array(double[].class)
            .ofMaxSize(20);
    return Combinators.combine(
            Arbitraries.of(BUNDLES),
            Arbitraries.integers().between(0, 1),
            Arbitraries.longs().between(1, 24),
            dp)
        .as(MergePropertyIT::row)
        .list()
        .ofMinSize(1)
        .ofMaxSize(30);
  }

  @Provide
  Arbitrary<Integer> preallocations() {
    return Arbitraries.of(0, 1, 4, 5, 28);
  }

  /** Segment 1 is wider; both are no wider than their rows may be. */
  private static Row row(Bundle bundle, int seg, long slot, double[] dp) {
    return new Row(
        new Row.Key(bundle, seg, (int) (slot % bundle.size())),
        20 + 10 * seg,
        slot * bundle.stepMs(),
        dp);
  }

  /** Locations pass to newer and newer series, as in the topology. */
  @Provide
  Arbitrary<List<Change>> entries() {
    Arbitrary<String> ident = Arbitraries.of("a", "b", "c", "d");
    Arbitrary<Integer> pos = Arbitraries.integers().between(0, 4);
    return Combinators.combine(ident, pos)
        .as(Map::entry)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .map(
            choices -> {
              var changes = new ArrayList<Change>();
              for (var choice : choices) {
                var name = Ident.parse(choice.getKey());
                var location = new Series.Location("p", 0, choice.getValue());
                changes.add(
                    choice.getValue() == 0
                        ? new Retirement(name)
                        : new Series(
                            name, location, changes.size(), "x".repeat(changes.size() % 3)));
              }
              return changes;
            });
  }

  private static void shouldBeTheSame(List<? extends Change> changes, String table)
      throws SQLException {
    empty();
    write(changes.stream().map(change -> List.<Change>of(change)).toList(), 28);
    List<String> oneByOne = database.query(table);
    empty();
    write(List.of(List.copyOf(changes)), 28);
    assertThat(database.query(table)).isEqualTo(oneByOne);
    int half = changes.size() / 2;
    empty();
    write(
        List.of(
            List.copyOf(changes.subList(0, half)),
            List.copyOf(changes.subList(half, changes.size()))),
        28);
    assertThat(database.query(table)).isEqualTo(oneByOne);
  }

  private static void empty() {
    database.execute("delete from ts; delete from ds; delete from rra_bundle");
  }

  /** Writes each list in a separate put. */
  private static void write(List<List<Change>> puts, int preallocateSlots) throws SQLException {
    var writer = new RowWriter(connection, preallocateSlots, 0);
    for (List<Change> put : puts) {
      writer.write(put, List.of());
    }
  }
}
