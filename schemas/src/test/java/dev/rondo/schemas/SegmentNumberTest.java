package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentNumberTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "1, 0, 65536",
    "1, 3, 65539",
    "0, 65535, 65535",
    "32767, 65535, 2147483647"
  })
  void shouldHoldPartitionAndIndex(int partition, int index, int number) {
    assertThat(SegmentNumber.of(partition, index)).isEqualTo(number);
    assertThat(SegmentNumber.partition(number)).isEqualTo(partition);
    assertThat(SegmentNumber.index(number)).isEqualTo(index);
  }

  @ParameterizedTest
  @CsvSource({"0, 65536", "0, -1", "-1, 0", "32768, 0", "65536, 0"})
  void shouldRejectPartitionsAndIndexesOutOfRange(int partition, int index) {
    assertThatThrownBy(() -> SegmentNumber.of(partition, index))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("segment " + index + " of partition " + partition);
  }
}
