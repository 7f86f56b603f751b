package dev.rondo.connection.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LogFormatTest {
  @Test
  void shouldBeTextOrJson() {
    assertThat(LogFormat.fault(Map.of())).isEmpty();
    assertThat(LogFormat.fault(Map.of("RONDO_LOG_FORMAT", "text"))).isEmpty();
    assertThat(LogFormat.fault(Map.of("RONDO_LOG_FORMAT", "json"))).isEmpty();
    assertThat(LogFormat.fault(Map.of("RONDO_LOG_FORMAT", "xml")))
        .hasValue("RONDO_LOG_FORMAT is 'xml', not text or json");
  }
}
