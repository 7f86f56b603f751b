package dev.rondo.connect.postgres.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.changes.Change;
import dev.rondo.connect.postgres.changes.Ident;
import dev.rondo.connect.postgres.changes.Renaming;
import dev.rondo.connect.postgres.changes.Retirement;
import dev.rondo.connect.postgres.changes.RowChange;
import dev.rondo.connect.postgres.changes.Series;
import dev.rondo.connect.postgres.harness.GenericSink;
import dev.rondo.connect.postgres.harness.Records;
import dev.rondo.connect.postgres.harness.TaskContext;
import dev.rondo.connect.postgres.harness.TestDatabase;
import dev.rondo.rows.Bundle;
import dev.rondo.rows.Row;
import dev.rondo.schemas.BundleRow;
import dev.rondo.schemas.SeriesEntry;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.lifecycle.BeforeTry;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Other JDBC sinks, in upsert mode on {@code bundle_row} and {@code series}, leave the same tables
 * as Rondo's sink. Shrinking is full: a bounded one goes on in another thread after its time, and
 * empties the tables that the next test writes.
 */
class GenericSinkPropertyIT {
  private static final Bundle BUNDLE = new Bundle("p", "wmean", 10_000, 2);
  private static final String SLOTS =
      """
      select seg, i, t, (select array_agg((p, v) order by p)
                         from unnest(dp) with ordinality as d (v, p) where v <> 'NaN')
      from ts where t > '-infinity' order by seg, i
      """;
  private static final String BUNDLES =
      """
      select policy, cf, step_ms, size, width, xff, whisper, aggregate, latest,
             first <= (select min(t) from ts where rra_bundle_id = rra_bundle.id and t > '-infinity')
      from rra_bundle
      """;
  private static final String LOCATIONS =
      "select ident, policy, seg, pos, starts_at, source from ds order by policy, seg, pos";
  private static final String PERIODS =
      """
      select coalesce(displaced_ident, ident), number, l.policy, l.seg, l.pos, l.starts_at, ends_at, reassigned_at,
             renamed_from, renamed_at
      from location_period l left join ds on id = ds_id order by 1, 2, 3, 4, 5, 6
      """;
  private static TestDatabase database;

  @BeforeContainer
  static void start() {
    database = TestDatabase.empty();
  }

  @BeforeTry
  void empty() {
    database.execute(
        "delete from ts; delete from ds; delete from rra_bundle; delete from series; delete from location_period");
  }

  @Property(tries = 20, shrinking = ShrinkingMode.FULL)
  void shouldStoreRowsAsTheSinkDoes(
      @ForAll("rows") List<Change> rows,
      @ForAll GenericSink.Dialect dialect,
      @ForAll boolean reWriteBatchedInserts)
      throws SQLException {
    writeOurs(rows);
    List<String> slots = database.query(SLOTS);
    List<String> bundles = database.query(BUNDLES);
    empty();

    try (var sink = new GenericSink(database, dialect, reWriteBatchedInserts)) {
      sink.write(rows);
      assertThat(database.query(SLOTS)).isEqualTo(slots);
      assertThat(database.query(BUNDLES)).isEqualTo(bundles);
      sink.write(rows);
      assertThat(database.query(SLOTS)).isEqualTo(slots);
    }
    assertThat(database.query("select * from bundle_row")).isEmpty();
  }

  @Property(tries = 30, shrinking = ShrinkingMode.FULL)
  void shouldStoreSeriesAsTheSinkDoes(
      @ForAll("entries") List<Change> entries,
      @ForAll GenericSink.Dialect dialect,
      @ForAll boolean reWriteBatchedInserts)
      throws SQLException {
    writeOurs(entries);
    List<String> locations = database.query(LOCATIONS);
    List<String> periods = database.query(PERIODS);
    empty();

    try (var sink = new GenericSink(database, dialect, reWriteBatchedInserts)) {
      sink.write(entries);
      assertThat(database.query(LOCATIONS)).isEqualTo(locations);
      assertThat(database.query(PERIODS)).isEqualTo(periods);
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.FULL)
  @Tag("long")
  void shouldStoreMoreSeriesAsTheSinkDoes(
      @ForAll("entries") List<Change> entries,
      @ForAll GenericSink.Dialect dialect,
      @ForAll boolean reWriteBatchedInserts)
      throws SQLException {
    shouldStoreSeriesAsTheSinkDoes(entries, dialect, reWriteBatchedInserts);
  }

  @Property(tries = 30)
  void shouldReadIdentsAsTheSinkDoes(@ForAll("idents") String canonical) throws SQLException {
    String ours;
    try {
      ours = Ident.parse(canonical).json();
    } catch (DataException e) {
      ours = null;
    }
    String quoted = canonical.replace("'", "''");
    if (ours == null) {
      assertThatThrownBy(() -> database.query("select rondo_ident('%s')".formatted(quoted)))
          .cause()
          .hasMessageContaining(canonical);
    } else {
      assertThat(
              database.query(
                  "select rondo_ident('%s') = '%s'::jsonb"
                      .formatted(quoted, ours.replace("'", "''"))))
          .containsExactly("t");
    }
  }

  /** Both write at once: each keeps to the same rules. */
  @Example
  void shouldWriteBesideTheSink() throws SQLException {
    try (var sink = new GenericSink(database, GenericSink.Dialect.CONFLUENT, true)) {
      writeOurs(List.of(row(0, 3, 1, Double.NaN)));
      sink.write(List.of(row(0, 3, Double.NaN, 2), row(0, 1, 9, 9)));
      writeOurs(List.of(row(0, 3, Double.NaN, Double.NaN, 3)));
    }
    assertThat(database.query(SLOTS))
        .containsExactly("0|1|1970-01-01 00:00:30+00|{\"(1,1)\",\"(2,2)\",\"(3,3)\"}");
  }

  @Example
  void shouldRefuseWhatTheSinkRefuses() throws SQLException {
    try (var sink = new GenericSink(database, GenericSink.Dialect.CONFLUENT, false)) {
      var outside = Records.change(new Row(new Row.Key(BUNDLE, 0, 2), 4, 20_000, new double[] {1}));
      var wide = Records.change(new Row(new Row.Key(BUNDLE, 0, 0), 1, 20_000, new double[] {1, 2}));
      assertThatThrownBy(() -> sink.write(List.of(outside)))
          .isInstanceOf(BatchUpdateException.class)
          .hasMessageContaining("i 2 is outside 0..size-1, size 2");
      assertThatThrownBy(() -> sink.write(List.of(wide)))
          .hasMessageContaining("dp has 2 values, width is 1");
    }
  }

  @Provide
  Arbitrary<List<Change>> rows() {
    Arbitrary<double[]> dp =
        Arbitraries.of(Double.NaN, 0.0, 1.0, 2.0, 3.0).array(double[].class).ofMaxSize(4);
    return Combinators.combine(
            Arbitraries.integers().between(0, 1), Arbitraries.longs().between(1, 4), dp)
        .as(GenericSinkPropertyIT::row)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  /** Locations pass to newer and newer series, as in the topology. */
  @Provide
  Arbitrary<List<Change>> entries() {
    Arbitrary<Ident> ident = Arbitraries.of("a", "b;k=v", "c;k=v;l=w", "d;k==ü").map(Ident::parse);
    Arbitrary<Integer> pos = Arbitraries.integers().between(0, 4);
    return Combinators.combine(ident, pos, ident.injectNull(0.7))
        .as(Choice::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .map(GenericSinkPropertyIT::changes);
  }

  /**
   * What happens to a series.
   *
   * @param pos where it is; 0: it is retired
   * @param to its new name, if it is there
   */
  private record Choice(Ident ident, int pos, Ident to) {}

  private static List<Change> changes(List<Choice> choices) {
    Map<Ident, Series> series = new HashMap<>();
    var changes = new ArrayList<Change>();
    for (Choice choice : choices) {
      Ident ident = choice.ident();
      boolean renames =
          choice.to() != null && !choice.to().equals(ident) && series.containsKey(ident);
      if (renames) {
        changes.add(new Renaming(series.remove(ident), choice.to(), changes.size()));
      } else if (choice.pos() == 0) {
        series.remove(ident);
        changes.add(new Retirement(ident));
      } else {
        var location = new Series.Location("p", 0, choice.pos());
        var entry = new Series(ident, location, changes.size(), "x".repeat(changes.size() % 3));
        series.put(ident, entry);
        changes.add(entry);
      }
    }
    return changes;
  }

  @Provide
  Arbitrary<String> idents() {
    return Arbitraries.strings()
        .withChars("a;=\"\\'ü{} ")
        .ofMaxLength(12)
        .edgeCases(edges -> edges.add("a;name=b", "a;b=c;b=d", "a;b=c;a=d=e", "", ";a=b", "a;"));
  }

  private static Change row(int seg, long slot, double... dp) {
    return Records.change(
        new Row(new Row.Key(BUNDLE, seg, (int) (slot % 2)), 4, slot * 10_000, dp));
  }

  /** In one put. */
  private static void writeOurs(List<? extends Change> changes) {
    var task = TaskContext.start(database.taskConfig(), new TaskContext(false));
    try {
      task.put(changes.stream().map(GenericSinkPropertyIT::sinkRecord).toList());
    } finally {
      task.stop();
    }
  }

  private static SinkRecord sinkRecord(Change change) {
    if (change instanceof RowChange each) {
      Row row = each.row();
      Bundle bundle = row.key().bundle();
      return Records.row(
          new BundleRow(
              bundle.policy(),
              bundle.cf(),
              bundle.stepMs(),
              bundle.size(),
              row.width(),
              each.properties().xff(),
              each.properties().whisper(),
              each.properties().aggregate(),
              row.key().seg(),
              row.key().i(),
              row.endMs(),
              Arrays.stream(row.dp()).boxed().toList()));
    }
    if (change instanceof Series series) {
      return Records.series(entry(series, "", 0));
    }
    if (change instanceof Renaming renaming) {
      return Records.series(
          entry(renaming.series(), GenericSink.canonical(renaming.to()), renaming.atMs()));
    }
    return Records.retirement(GenericSink.canonical(((Retirement) change).ident()));
  }

  private static SeriesEntry entry(Series series, String to, long atMs) {
    Series.Location location = series.location();
    return new SeriesEntry(
        GenericSink.canonical(series.ident()),
        location.policy(),
        location.seg(),
        location.pos(),
        series.startsAtMs(),
        series.source(),
        to,
        atMs);
  }
}
