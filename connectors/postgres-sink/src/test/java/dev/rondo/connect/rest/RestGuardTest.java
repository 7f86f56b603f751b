package dev.rondo.connect.rest;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers beside which it would not keep anybody out. */
class RestGuardTest {
  /** Connect checks no signature then, so any client that sends one could configure tasks. */
  @ParameterizedTest
  @ValueSource(strings = {"compatible", "eager", "COMPATIBLE"})
  void shouldRefuseWorkersThatDoNotSign(String protocol) {
    assertThatThrownBy(
            () -> new RestGuard().configure(Map.of("group.id", "g", "connect.protocol", protocol)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("connect.protocol", protocol, "sessioned");
  }

  @Test
  void shouldTakeWorkersThatSignOrHaveNoOthers() {
    for (Map<String, String> worker :
        List.of(
            Map.of("group.id", "g"),
            Map.of("group.id", "g", "connect.protocol", "sessioned"),
            Map.of("connect.protocol", "eager"))) {
      assertThatCode(() -> new RestGuard().configure(worker)).doesNotThrowAnyException();
    }
  }
}
