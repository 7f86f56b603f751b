package dev.rondo.connect.postgres.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.connect.postgres.harness.Records;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which numbers and texts a record may hold. */
class ChangeBoundsTest {

  @ParameterizedTest
  @CsvSource({
    "step_ms, 0, 'in 1..'",
    "step_ms, -10000, 'in 1..'",
    "size, 0, 'in 1..2147483647'",
    "size, 2147483648, 'in 1..2147483647'",
    "width, 0, 'in 1..2000'",
    "width, 2001, 'in 1..2000'",
    "width, 2147483647, 'in 1..2000'",
    "seg, -1, 'in 0..2147483647'",
    "seg, 2147483648, 'in 0..2147483647'",
    "i, -1, 'in 0..999'",
    "i, 1000, 'in 0..999'",
    "t, -10000, 'in 0..253402300799999'",
    "t, 1700000000000000, 'in 0..253402300799999'",
    "t, 9223372036854775807, 'in 0..253402300799999'",
    "t, 70001, 't 70001 does not end slot i 7'",
    "t, 80000, 'its slot is i 8'",
    "i, 8, 't 70000 does not end slot i 8'"
  })
  void shouldRefuseRowWithNumber(String field, long value, String reason) {
    shouldRefuse(row(field, value), reason);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
  void shouldRefuseShare(double xff) {
    shouldRefuse(row("xff", xff), "field xff of a map is %s, not in 0..1".formatted(xff));
  }

  @ParameterizedTest
  @ValueSource(doubles = {7.5, Double.NaN, Double.NEGATIVE_INFINITY, 1e300})
  void shouldRefuseWhatIsNotWhole(double i) {
    shouldRefuse(row("i", i), "field i of a map is %s, not a whole number".formatted(i));
  }

  @ParameterizedTest
  @CsvSource({
    "policy, ''",
    "policy, 'a\0b'",
    "policy, 'a\uD800b'",
    "cf, median",
    "cf, AVG",
    "whisper, yes",
    "aggregate, median",
    "dp, 1",
    "t, soon"
  })
  void shouldRefuseRowWithText(String field, String value) {
    shouldRefuse(row(field, value), field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"policy", "cf", "step_ms", "size", "width", "xff", "seg", "i", "t"})
  void shouldNameWhatIsMissing(String field) {
    shouldRefuse(row(field, null), field);
    var less = new HashMap<>(values());
    less.remove(field);
    shouldRefuse(less, "field %s of a map is missing".formatted(field));
  }

  @Test
  void shouldTakeWhatIsNoFiniteNumberForUnknown() {
    var dp =
        Arrays.asList(
            null,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            new BigDecimal("1e400"),
            Float.NEGATIVE_INFINITY,
            -0.0,
            7);
    var row = ((RowChange) read(row("dp", dp))).row();
    double unknown = Double.NaN;
    assertThat(row.dp())
        .containsExactly(unknown, unknown, unknown, unknown, unknown, unknown, -0.0, 7);
  }

  @Test
  void shouldNameTheValueThatIsNone() {
    shouldRefuse(row("dp", List.of(1.0, "2")), "dp[2] is '2', not a number");
  }

  @ParameterizedTest
  @CsvSource({
    "pos, 0, 'in 1..2147483647'",
    "pos, 2147483648, 'in 1..2147483647'",
    "seg, -1, 'in 0..2147483647'",
    "starts_at, -1, 'in 0..253402300799999'",
    "starts_at, 9223372036854775807, 'in 0..253402300799999'"
  })
  void shouldRefuseSeriesWithNumber(String field, long value, String reason) {
    var series =
        new HashMap<String, Object>(
            Map.of("ident", "cpu", "policy", "p", "seg", 0, "pos", 1, "starts_at", 0L));
    assertThat(read(series)).isInstanceOf(Series.class);
    series.put(field, value);
    shouldRefuse(series, reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nul\0", "half\uD83D", "\uDE00half", "cpu;k=\0"})
  void shouldRefuseIdentThatPostgresCannotHold(String ident) {
    shouldRefuse(
        Map.of("ident", ident, "policy", "p", "seg", 0, "pos", 1, "starts_at", 0L), "ident holds");
  }

  private static Map<String, Object> row(String field, Object value) {
    var row = new HashMap<>(values());
    assertThat(read(row)).isInstanceOf(RowChange.class);
    row.put(field, value);
    return row;
  }

  private static Map<String, Object> values() {
    var values =
        new HashMap<String, Object>(
            Map.of("policy", "p", "cf", "wmean", "step_ms", 10_000L, "size", 1000, "width", 8));
    values.putAll(Map.of("xff", 0.5, "seg", 65536, "i", 7, "t", 70_000L, "dp", List.of(1.0)));
    return values;
  }

  private static Change read(Map<String, Object> value) {
    return ChangeReader.read(record(value));
  }

  private static void shouldRefuse(Map<String, Object> value, String reason) {
    assertThatThrownBy(() -> read(value))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(reason);
  }

  private static SinkRecord record(Map<String, Object> value) {
    return Records.of("any", SchemaAndValue.NULL, new SchemaAndValue(null, value));
  }
}
