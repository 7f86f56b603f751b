package dev.rondo.formats.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.RecordLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Series that differ only in something that their name omits never share a slot silently. */
class DistinctDecoderTest {
  private static final NameRules NO_HOST =
      new NameRules(Optional.empty(), "", List.of(Pattern.compile("host")), Map.of());

  private static Found read(Format format, NameRules names, String record) {
    var settings =
        new DecoderSettings(
            1024,
            64,
            Optional.empty(),
            Optional.empty(),
            RecordLimits.DEFAULT,
            names,
            Optional.empty());
    return Found.in(record.getBytes(UTF_8), format.decoder(settings));
  }

  private static String metric(String unit, int value) {
    return """
    {"name": "m", "unit": "%s", "gauge": {"dataPoints": [{"timeUnixNano": "7000000", "asInt": %d}]}}\
    """
        .formatted(unit, value);
  }

  private static String record(String... metrics) {
    return "{\"resourceMetrics\": [{\"scopeMetrics\": [{\"metrics\": [%s]}]}]}"
        .formatted(String.join(",", metrics));
  }

  @ParameterizedTest
  @EnumSource(names = {"OTLP", "AUTO"})
  void shouldRejectASecondUnitOfAName(Format format) {
    Found found = read(format, NameRules.NONE, record(metric("s", 3), metric("ms", 5)));
    assertThat(found.points).containsExactly("m 3.0 7");
    assertThat(found.drops).extracting(DropReason::key).containsExactly("name-collision");
    assertThat(found.details.get(0)).contains("5.0", "3.0");
  }

  @Test
  void shouldEmitAPointThatIsSentTwice() {
    Found found = read(Format.OTLP, NameRules.NONE, record(metric("s", 3), metric("s", 3)));
    assertThat(found.points).containsExactly("m 3.0 7", "m 3.0 7");
    assertThat(found.drops).isEmpty();
  }

  @Test
  void shouldRejectSeriesThatDifferInADroppedLabel() {
    String lines = "m;host=a 3 7\nm;host=b 5 7\nm;host=a 4 8\nn;host=b 5 7\n";
    Found found = read(Format.GRAPHITE, NO_HOST, lines);
    assertThat(found.points).containsExactly("m 3.0 7000", "m 4.0 8000", "n 5.0 7000");
    assertThat(found.drops).extracting(DropReason::key).containsExactly("name-collision");
  }

  /** In Whisper mode the last value of a time wins, as in Graphite. */
  @Test
  void shouldEmitACorrectionIfNamesAreComplete() {
    Found found = read(Format.GRAPHITE, NameRules.NONE, "m 3 7\nm 5 7\n");
    assertThat(found.points).containsExactly("m 3.0 7000", "m 5.0 7000");
  }
}
