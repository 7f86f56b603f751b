package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Computes the golden values a second time, in SQL. */
class GoldenSqlIT {
  @RegisterExtension static final ArchiveDatabase DATABASE = ArchiveDatabase.empty();

  private static final Percentage RELATIVE_ERROR = Percentage.withPercentage(1e-9 * 100);

  static Stream<Map<String, String>> slots() {
    return GoldenCsv.rows("slots.csv").stream();
  }

  static Stream<Map<String, String>> positions() {
    return GoldenCsv.rows("positions.csv").stream();
  }

  static Stream<Map<String, String>> consolidations() {
    return GoldenCsv.rows("consolidation.csv").stream();
  }

  static Stream<Map<String, String>> whispers() {
    return GoldenCsv.rows("whisper.csv").stream();
  }

  static Stream<Map<String, String>> increments() {
    return GoldenCsv.rows("increments.csv").stream();
  }

  @ParameterizedTest
  @MethodSource("slots")
  void shouldFindSlotOfTime(Map<String, String> golden) {
    List<List<Object>> slots =
        DATABASE.query(
            """
            select end_ms, (end_ms / step_ms) % size
            from (values (?, ?, ?)) as given (step_ms, size, t_ms),
                 lateral (select (t_ms + step_ms - 1) / step_ms * step_ms as end_ms) as slot
            """,
            number(golden, "step_ms"), number(golden, "size"), number(golden, "t_ms"));

    assertThat(slots).containsExactly(List.of(number(golden, "end_ms"), number(golden, "i")));
  }

  @ParameterizedTest
  @MethodSource("positions")
  void shouldFindLocationOfSeries(Map<String, String> golden) {
    List<List<Object>> places =
        DATABASE.query(
            """
            select partition << 16 | nth / width, nth % width + 1
            from (values (?, ?, ?)) as given (partition, width, nth)
            """,
            place(golden, "partition"), place(golden, "width"), place(golden, "nth"));

    assertThat(places).containsExactly(List.of(place(golden, "seg"), place(golden, "pos")));
  }

  /** Each value of the row is its position: the view must return that of the series. */
  @ParameterizedTest
  @MethodSource("positions")
  void shouldReadSeriesAtItsPosition(Map<String, String> golden) {
    int width = place(golden, "width");
    int bundle = DATABASE.addBundle("default", 10_000, 2160);
    DATABASE.addSeries("cpu.user", "default", place(golden, "seg"), place(golden, "pos"), 0);
    var dp = new Double[width];
    for (int k = 0; k < width; k++) {
      dp[k] = k + 1.0;
    }
    DATABASE.addRow(bundle, place(golden, "seg"), 1_700_000_000_000L, dp);

    assertThat(DATABASE.value("select r from tv")).isEqualTo((double) place(golden, "pos"));
  }

  @ParameterizedTest
  @MethodSource("consolidations")
  void shouldConsolidate(Map<String, String> golden) throws IOException {
    assertConsolidates("consolidation.sql", golden);
  }

  @ParameterizedTest
  @MethodSource("whispers")
  void shouldConsolidateInWhisperMode(Map<String, String> golden) throws IOException {
    assertConsolidates("whisper.sql", golden, "last");
  }

  @ParameterizedTest
  @MethodSource("increments")
  void shouldAddIncrements(Map<String, String> golden) throws IOException {
    assertConsolidates("whisper.sql", golden, "sum");
  }

  private static void assertConsolidates(String sql, Map<String, String> golden, Object... more)
      throws IOException {
    List<Object> parameters =
        List.of(
            golden.get("points"),
            number(golden, "step_ms"),
            number(golden, "heartbeat_ms"),
            golden.get("cf"),
            number(golden, "archive_step_ms"),
            Double.valueOf(golden.get("xff")));
    List<List<Object>> slots =
        DATABASE.query(text(sql), Stream.concat(parameters.stream(), Stream.of(more)).toArray());

    var values = new LinkedHashMap<Long, Double>();
    slots.forEach(slot -> values.put((Long) slot.get(0), (Double) slot.get(1)));
    Map<Long, Double> expected = TimedValues.parse(golden.get("slots"));
    assertThat(values).as("%s", golden).containsOnlyKeys(expected.keySet());
    expected.forEach(
        (endMs, value) ->
            assertThat(values.get(endMs))
                .as("slot %d of %s", endMs, golden)
                .isCloseTo(value, RELATIVE_ERROR));
  }

  private static String text(String resource) throws IOException {
    try (InputStream file = GoldenSqlIT.class.getResourceAsStream(resource)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long number(Map<String, String> golden, String column) {
    return Long.parseLong(golden.get(column));
  }

  private static int place(Map<String, String> golden, String column) {
    return Integer.parseInt(golden.get(column));
  }
}
