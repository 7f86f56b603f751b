package dev.rondo.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageFitTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "8, 8",
    "116, 116",
    "135, 135",
    "136, 139",
    "160, 160",
    "161, 169",
    "194, 194",
    "195, 213",
    "200, 213",
    "245, 245",
    "246, 246",
    "1000, 1000"
  })
  void shouldTakeTheNextLengthThatLeavesRoom(int length, int fitting) {
    assertThat(PageFit.roundUp(length)).isEqualTo(fitting);
  }
}
