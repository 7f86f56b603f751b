package dev.rondo.local.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.local.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogSizeTest {
  @ParameterizedTest
  @CsvSource({"16k, 16384", "3M, 3145728", "1g, 1073741824"})
  void shouldReadSizes(String size, long bytes) {
    assertThat(LogSize.bytes(Map.of("RONDO_LOG_SIZE", size))).isEqualTo(bytes);
  }

  @Test
  void shouldBeTenMegabytesByDefault() {
    assertThat(LogSize.bytes(Map.of())).isEqualTo(10 << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0m", "10", "-1m", "9999999999g", "10 m"})
  void shouldNameVariableAndInvalidValue(String size) {
    assertThatThrownBy(() -> LogSize.bytes(Map.of("RONDO_LOG_SIZE", size)))
        .isInstanceOf(UserError.class)
        .hasMessage("RONDO_LOG_SIZE is '%s', not a size such as 10m or 1g".formatted(size));
  }
}
