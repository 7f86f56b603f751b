package dev.rondo.tools.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PastTimeTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T10:30:00Z,          2026-03-01T10:30:00Z",
    "2026-03-01T10:30:00.250Z,      2026-03-01T10:30:00.250Z",
    "2026-03-01T10:30+01:00,        2026-03-01T09:30:00Z",
    "2026-03-01T10:30:15+0100,      2026-03-01T09:30:15Z",
    "2026-03-01T10:30,              2026-03-01T10:30:00Z",
    "2026-03-01 10:30:05,           2026-03-01T10:30:05Z",
    "2026-03-01,                    2026-03-01T00:00:00Z",
    "1700000000,                    2023-11-14T22:13:20Z",
    "1700000000123,                 2023-11-14T22:13:20.123Z",
    "0,                             1970-01-01T00:00:00Z",
    "90m,                           2026-03-01T10:30:00Z",
    "6h,                            2026-03-01T06:00:00Z",
    "2d,                            2026-02-27T12:00:00Z",
    "500ms,                         2026-03-01T11:59:59.500Z"
  })
  void shouldReadEveryForm(String text, Instant expected) {
    assertThat(Instant.ofEpochMilli(PastTime.parseMs(text, NOON))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2026-13-01", "6 h", "-6h", "6x", "2026-03-01T25:00Z"})
  void shouldRejectMalformedTimes(String text) {
    assertThatThrownBy(() -> PastTime.parseMs(text, NOON))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("'" + text + "' is not a time")
        .hasMessageContaining("--from");
  }

  @Test
  void shouldRejectAFutureTime() {
    assertThatThrownBy(() -> PastTime.parseMs("2026-03-01T12:00:01Z", NOON))
        .hasMessage(
            "2026-03-01T12:00:01Z is 2026-03-01T12:00:01Z, which is still to come: now is"
                + " 2026-03-01T12:00:00Z (--from)");
  }
}
