package dev.rondo.connection.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationTest {
  @ParameterizedTest
  @CsvSource({
    // brokers, by default, in sync by default, factor (0 = the broker's), in sync (0 = the
    // broker's)
    "1, 1, 1, 1, 0",
    "2, 1, 1, 2, 0",
    "3, 1, 1, 3, 2",
    "9, 1, 1, 3, 2",
    "3, 1, 2, 3, 0",
    "9, 2, 1, 0, 0",
    "9, 3, 1, 0, 2",
    "9, 3, 2, 0, 0",
  })
  void shouldKeepTopicsAsOftenAsTheClusterCan(
      int brokers, int byDefault, int minInSync, short factor, int inSync) {
    assertThat(Replication.of(brokers, byDefault, minInSync))
        .isEqualTo(
            new Replication(
                factor == 0 ? Optional.empty() : Optional.of(factor),
                inSync == 0 ? Map.of() : Map.of("min.insync.replicas", Integer.toString(inSync))));
  }
}
