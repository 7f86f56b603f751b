package dev.rondo.topology.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletionRequestTest {
  @Test
  void shouldReadWhatItWrites() {
    for (OptionalLong silent : List.of(OptionalLong.empty(), OptionalLong.of(1_700_000_000_000L))) {
      var request = new DeletionRequest("a@b", List.of("load;host=\"ü\"", "x"), silent);
      assertThat(DeletionRequest.parse(request.json())).isEqualTo(request);
    }
  }

  @Test
  void shouldReadTheShortestRequest() {
    assertThat(DeletionRequest.parse("{\"series\": [\"x\"]}"))
        .isEqualTo(new DeletionRequest("unknown", List.of("x"), OptionalLong.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "load | not JSON: Unrecognized token 'load'",
        "[1] | not a JSON object",
        "`` | not a JSON object",
        "{} | series is not a list of idents",
        "{\"series\": \"x\"} | series is not a list of idents",
        "{\"series\": [1]} | series has a member that is no text: 1",
        "{\"series\": [\";a=b\"]} | ident has no name: ';a=b'",
        "{\"series\": [], \"silent\": 1} | unknown member 'silent'",
        "{\"series\": [], \"silent_since_ms\": \"1d\"} | silent_since_ms is not a number of milliseconds"
      })
  void shouldSayWhatIsWrong(String json, String message) {
    assertThatThrownBy(() -> DeletionRequest.parse(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void shouldRefuseATombstone() {
    assertThatThrownBy(() -> DeletionRequest.parse(null)).hasMessage("not a JSON object");
  }
}
