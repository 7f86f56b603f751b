package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class GoldenConsolidationTest {
  /** Aligned on every step of the golden file. */
  private static final long BASE_MS = 1_699_999_200_000L;

  @ParameterizedTest(name = "{0}: {4} of {5} ms")
  @CsvFileSource(
      resources = {
        "/dev/rondo/schemas/golden/consolidation.csv",
        "/dev/rondo/schemas/golden/whisper.csv"
      },
      numLinesToSkip = 1,
      nullValues = "-",
      emptyValue = "")
  void shouldCloseSlotsAsGolden(
      String name,
      long stepMs,
      long heartbeatMs,
      String points,
      String function,
      long archiveStepMs,
      int size,
      double xff,
      String slots) {
    ConsolidationFunction finest =
        heartbeatMs == 0 ? ConsolidationFunction.LAST : ConsolidationFunction.WMEAN;
    shouldClose(stepMs, heartbeatMs, finest, points, function, archiveStepMs, size, xff, slots);
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(
      resources = "/dev/rondo/schemas/golden/increments.csv",
      numLinesToSkip = 1,
      nullValues = "-",
      emptyValue = "")
  void shouldAddIncrementsAsGolden(
      String name,
      long stepMs,
      long heartbeatMs,
      String points,
      String function,
      long archiveStepMs,
      int size,
      double xff,
      String slots) {
    shouldClose(
        stepMs,
        heartbeatMs,
        ConsolidationFunction.SUM,
        points,
        function,
        archiveStepMs,
        size,
        xff,
        slots);
  }

  private static void shouldClose(
      long stepMs,
      long heartbeatMs,
      ConsolidationFunction finest,
      String points,
      String function,
      long archiveStepMs,
      int size,
      double xff,
      String slots) {
    Archive archive =
        new Archive(
            ConsolidationFunction.valueOf(function.toUpperCase(Locale.ROOT)),
            new ArchiveShape(archiveStepMs, size),
            xff);
    OpenSlots open = new OpenSlots(stepMs, heartbeatMs, finest, List.of(archive), 3);
    Emitted emitted = new Emitted();
    for (String point : points.split(" ", -1)) {
      String[] timeAndValue = point.split(":", -1);
      open.add(
          1,
          BASE_MS + Long.parseLong(timeAndValue[0]),
          Double.parseDouble(timeAndValue[1]),
          emitted);
    }
    Map<Long, Double> expected = expected(slots);
    assertThat(emitted.firstArchive.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (endMs, value) ->
            assertThat(emitted.firstArchive.get(endMs))
                .isCloseTo(value, Offset.offset(1e-9 * Math.max(1, Math.abs(value)))));
  }

  private static Map<Long, Double> expected(String slots) {
    Map<Long, Double> expected = new TreeMap<>();
    if (slots != null && !slots.isEmpty()) {
      for (String slot : slots.split(" ", -1)) {
        String[] endAndValue = slot.split(":", -1);
        expected.put(BASE_MS + Long.parseLong(endAndValue[0]), Double.parseDouble(endAndValue[1]));
      }
    }
    return expected;
  }
}
