package dev.rondo.tools.why.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiStageTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '!',
      value = {
        "load ! load",
        "app.web01.load ! app\\.web01\\.load",
        "disk.C:\\, used % ! disk\\.C\\:\\\\\\,\\ used\\ \\%",
        "zähler|alt ! zähler\\|alt",
        "load;dc=ams;host=it's a..b ! load;dc=ams;host=it\\'s\\ a\\.\\.b",
      })
  void shouldAskForTheSeriesOfThisName(String ident, String target) {
    assertThat(ApiStage.target(ident)).isEqualTo(target);
  }
}
