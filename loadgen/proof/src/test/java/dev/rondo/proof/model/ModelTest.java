package dev.rondo.proof.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The model of the proofs must agree with the golden file. */
class ModelTest {
  private static final long BASE_MS = 1_699_999_200_000L;

  @ParameterizedTest(name = "{0}: {4} of {5} ms")
  @CsvFileSource(
      resources = "/dev/rondo/schemas/golden/consolidation.csv",
      numLinesToSkip = 1,
      nullValues = "-",
      emptyValue = "")
  void shouldAgreeWithGolden(
      String name,
      long stepMs,
      long heartbeatMs,
      String points,
      String function,
      long archiveStepMs,
      int size,
      double xff,
      String slots) {
    ArchiveRule archive = new ArchiveRule(function, archiveStepMs, size, xff);
    PolicyRule policy = new PolicyRule("golden", stepMs, heartbeatMs, List.of(archive));
    List<TimedValue> stored = new ArrayList<>();
    for (TimedValue point : parse(points)) {
      if (stored.isEmpty() || point.tMs() > stored.get(stored.size() - 1).tMs()) {
        stored.add(point); // the golden file also has late points
      }
    }
    long lastMs = stored.get(stored.size() - 1).tMs();
    Map<Long, Double> closed = new TreeMap<>(Model.slots(stored, policy).get(archive));
    closed.keySet().removeIf(endMs -> endMs > lastMs);
    List<TimedValue> golden = parse(slots);
    assertThat(closed.keySet())
        .containsExactlyElementsOf(golden.stream().map(TimedValue::tMs).toList());
    for (TimedValue slot : golden) {
      assertThat(closed.get(slot.tMs()))
          .isCloseTo(slot.value(), Offset.offset(1e-9 * Math.max(1, Math.abs(slot.value()))));
    }
  }

  private static List<TimedValue> parse(String text) {
    List<TimedValue> values = new ArrayList<>();
    if (text != null && !text.isEmpty()) {
      for (String item : text.split(" ", -1)) {
        String[] parts = item.split(":", -1);
        values.add(
            new TimedValue(BASE_MS + Long.parseLong(parts[0]), Double.parseDouble(parts[1])));
      }
    }
    return values;
  }
}
