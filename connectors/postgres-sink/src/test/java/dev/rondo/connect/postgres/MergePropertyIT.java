package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

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
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeContainer;

/** However changes are cut into puts, the tables end up the same: our merge is PostgreSQL's. */
class MergePropertyIT {
  private static final Bundle BUNDLE = new Bundle("p", "wmean", 10_000, 2);
  private static TestDatabase database;

  @BeforeContainer
  static void start() {
    database = TestDatabase.empty();
  }

  @Property(tries = 60)
  void shouldMergeInOnePutAsOneByOne(@ForAll("rows") List<Row> rows) throws SQLException {
    String table =
        "select seg, i, t, "
            + TestDatabase.VALUES
            + " from ts where "
            + TestDatabase.HAS_SLOT
            + " order by seg, i";
    shouldBeTheSame(rows, table);
    assertThat(
            database.query(
                "select extract(epoch from max(t)) = (select extract(epoch from latest) from rra_bundle) from ts"))
        .containsExactly("t");
  }

  @Property(tries = 60)
  void shouldPlaceSeriesInOnePutAsOneByOne(@ForAll("entries") List<Change> entries)
      throws SQLException {
    shouldBeTheSame(entries, "select ident, policy, seg, pos, born from ds order by pos");
  }

  /** As after a crash: what was not committed comes again, from anywhere on to the end. */
  @Property(tries = 60)
  void shouldPlaceSeriesTheSameWhenDeliveredAgain(
      @ForAll("entries") List<Change> entries, @ForAll @IntRange(max = 11) int from)
      throws SQLException {
    String table = "select ident, policy, seg, pos, born from ds order by pos";
    write(List.of(entries));
    List<String> once = database.query(table);
    List<Change> again = entries.subList(Math.min(from, entries.size() - 1), entries.size());
    write(List.of(entries, again));
    assertThat(database.query(table)).isEqualTo(once);
  }

  @Provide
  Arbitrary<List<Row>> rows() {
    Arbitrary<double[]> dp =
        Arbitraries.of(Double.NaN, 0.0, 1.0, 2.0, 3.0).array(double[].class).ofMaxSize(4);
    Arbitrary<Row> row =
        Combinators.combine(
                Arbitraries.integers().between(0, 1), Arbitraries.longs().between(1, 4), dp)
            .as(
                (seg, slot, values) ->
                    new Row(
                        new Row.Key(BUNDLE, seg, (int) (slot % 2)),
                        4,
                        0.5,
                        false,
                        slot * 10_000,
                        values));
    return row.list().ofMinSize(1).ofMaxSize(12);
  }

  /** Places go to series born later and later, as the topology gives them. */
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
                var place = new Series.Place("p", 0, choice.getValue());
                changes.add(
                    choice.getValue() == 0
                        ? new Retirement(name)
                        : new Series(name, place, changes.size()));
              }
              return changes;
            });
  }

  private static void shouldBeTheSame(List<? extends Change> changes, String table)
      throws SQLException {
    write(changes.stream().map(change -> List.<Change>of(change)).toList());
    List<String> oneByOne = database.query(table);
    write(List.of(List.copyOf(changes)));
    assertThat(database.query(table)).isEqualTo(oneByOne);
    int half = changes.size() / 2;
    write(
        List.of(
            List.copyOf(changes.subList(0, half)),
            List.copyOf(changes.subList(half, changes.size()))));
    assertThat(database.query(table)).isEqualTo(oneByOne);
  }

  /** Each list in a transaction of its own, on empty tables. */
  private static void write(List<List<Change>> puts) throws SQLException {
    database.execute("delete from ts; delete from ds; delete from rra_bundle");
    try (var writer =
        new RowWriter(new Database(PostgresSinkConfig.of(database.taskConfig())), 28)) {
      for (List<Change> put : puts) {
        writer.write(put);
      }
    }
  }
}
