package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RondoMergeIT {
  @RegisterExtension static final ArchiveDatabase DATABASE = ArchiveDatabase.empty();

  @ParameterizedTest(name = "{0} and {1} are {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{1,2,3}   | {4,5,6}       | {4,5,6}",
        "{1,2,3}   | {NaN,5,NaN}   | {1,5,3}",
        "{NaN,2}   | {1,NaN}       | {1,2}",
        "{NaN}     | {NaN}         | {NaN}",
        "{1}       | {NaN,7}       | {1,7}",
        "{1}       | {NaN,NaN,7}   | {1,NaN,7}",
        "{1,2,3}   | {9}           | {9,2,3}",
        "{1,NaN,3} | {NaN}         | {1,NaN,3}",
        "{5}       | {0}           | {0}",
        "{5}       | {-Infinity}   | {-Infinity}",
        "{}        | {1,NaN}       | {1,NaN}",
        "{1,NaN}   | {}            | {1,NaN}",
        "{}        | {}            | {}",
      })
  void shouldKeepKnownValues(String stored, String news, String merged) {
    assertThat(DATABASE.value("select rondo_merge(?::float8[], ?::float8[])::text", stored, news))
        .isEqualTo(merged);
  }
}
