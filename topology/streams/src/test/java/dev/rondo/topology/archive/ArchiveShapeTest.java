package dev.rondo.topology.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class ArchiveShapeTest {
  @ParameterizedTest
  @CsvFileSource(resources = "/dev/rondo/schemas/golden/slots.csv", numLinesToSkip = 1)
  void shouldNameSlotAndIndexAsGolden(long stepMs, int size, long tMs, long endMs, int i) {
    ArchiveShape shape = new ArchiveShape(stepMs, size);
    assertThat(shape.endOf(tMs)).isEqualTo(endMs);
    assertThat(shape.index(endMs)).isEqualTo(i);
  }

  @Test
  void shouldRefuseStepAndSizeBelowOne() {
    assertThatThrownBy(() -> new ArchiveShape(0, 1)).hasMessage("stepMs < 1: 0");
    assertThatThrownBy(() -> new ArchiveShape(1, 0)).hasMessage("size < 1: 0");
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 10000, 5000",
    "0.3, 10000, 3000",
    "0, 10000, 1",
    "1, 10000, 10000",
    "0.33335, 10000, 3334",
    "0.1, 1, 1"
  })
  void shouldAskForKnownTimeByXff(double xff, long stepMs, long leastKnownMs) {
    Archive archive = new Archive(ConsolidationFunction.WMEAN, new ArchiveShape(stepMs, 1), xff);
    assertThat(archive.leastKnownMs()).isEqualTo(leastKnownMs);
  }
}
