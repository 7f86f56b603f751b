package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Both ways into a coarser archive: when a finer slot closes, and later, from the stored slots. */
class GoldenFillingTest {
  private static final String GOLDEN = "/dev/rondo/schemas/golden/filling.csv";

  /** Aligned on every step of the golden file. */
  private static final long BASE_MS = 1_699_999_200_000L;

  @ParameterizedTest(name = "{0}: {3} of {4} ms")
  @CsvFileSource(resources = GOLDEN, numLinesToSkip = 1, nullValues = "-", emptyValue = "")
  void shouldFillAsGolden(
      String name,
      long fromStepMs,
      String from,
      String function,
      long stepMs,
      double xff,
      String slots) {
    NavigableMap<Long, Double> stored = parse(from);
    var closed = new ClosedSlots(archive(function, stepMs, xff), fromStepMs, 2);
    Map<Long, Double> filled = new TreeMap<>();
    long toMs = BASE_MS + stepMs * (stored.isEmpty() ? 1 : 1 + lastMs(stored) / stepMs);
    for (long endMs = BASE_MS + fromStepMs; endMs <= toMs; endMs += fromStepMs) {
      closed.take(1, stored.getOrDefault(endMs, Double.NaN));
      if (endMs % stepMs == 0) {
        double[] values = closed.close();
        assertThat(values[0]).isNaN();
        if (!Double.isNaN(values[1])) {
          filled.put(endMs, values[1]);
        }
      }
    }
    assertThat(filled).isEqualTo(parse(slots));
  }

  @ParameterizedTest(name = "{0}: {3} of {4} ms")
  @CsvFileSource(resources = GOLDEN, numLinesToSkip = 1, nullValues = "-", emptyValue = "")
  void shouldCloseTheSameSlotsWhilePointsArrive(
      String name,
      long fromStepMs,
      String from,
      String function,
      long stepMs,
      double xff,
      String slots) {
    NavigableMap<Long, Double> stored = parse(from);
    var open =
        new OpenSlots(
            fromStepMs, 0, ConsolidationFunction.LAST, List.of(archive(function, stepMs, xff)), 1);
    var emitted = new Emitted();
    List<Map.Entry<Long, Double>> points = new ArrayList<>(stored.entrySet());
    points.forEach(slot -> open.add(0, slot.getKey() - fromStepMs, slot.getValue(), emitted));
    if (!points.isEmpty()) {
      open.add(0, stored.lastKey() + 10 * stepMs, 0, emitted); // closes the last one
    }
    assertThat(emitted.firstArchive).isEqualTo(parse(slots));
  }

  private static Archive archive(String function, long stepMs, double xff) {
    return new Archive(
        ConsolidationFunction.valueOf(function.toUpperCase(Locale.ROOT)),
        new ArchiveShape(stepMs, 1000),
        xff);
  }

  private static long lastMs(NavigableMap<Long, Double> slots) {
    return slots.lastKey() - BASE_MS;
  }

  private static NavigableMap<Long, Double> parse(String slots) {
    var parsed = new TreeMap<Long, Double>();
    if (slots != null && !slots.isEmpty()) {
      for (String slot : slots.split(" ", -1)) {
        String[] endAndValue = slot.split(":", -1);
        parsed.put(BASE_MS + Long.parseLong(endAndValue[0]), Double.parseDouble(endAndValue[1]));
      }
    }
    return parsed;
  }
}
