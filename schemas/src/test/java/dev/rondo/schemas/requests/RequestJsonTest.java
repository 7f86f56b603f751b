package dev.rondo.schemas.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.EndOfPoints;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestJsonTest {
  private static final long AT_MS = 1_700_000_000_000L;

  private static Stream<Object> requests() {
    var spans =
        List.of(new NewSeries("load;host=\"ü\"", 1L, 2L), new NewSeries("y", 0L, Long.MAX_VALUE));
    return Stream.of(
        new DeleteSeries(List.of("load;host=\"ü\"", "x"), null),
        new DeleteSeries(List.of("x"), AT_MS),
        new RenameSeries(List.of(new Rename("load;host=\"ü\"", "x"), new Rename("y", "z"))),
        new CreateSeries("p", "points", spans),
        new CreateSeries("", "", List.of()));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void shouldReadRequestsThatItWrites(Object request) {
    var whole = new SeriesRequest("a@b", AT_MS, request);
    assertThat(RequestJson.parse(RequestJson.write(whole), AT_MS)).isEqualTo(whole);
  }

  /**
   * The schema accepts and rejects the same requests: {@code
   * query-api/tests/test_request_schema.py}.
   */
  @Test
  void shouldAcceptWhatTheSchemaAccepts() throws IOException {
    JsonNode golden;
    try (InputStream file = Topics.class.getResourceAsStream("golden/series-requests.json")) {
      golden = new ObjectMapper().readTree(file);
    }
    assertThat(golden.path("valid"))
        .isNotEmpty()
        .allMatch(json -> RequestJson.read(json.toString(), AT_MS).isPresent());
    assertThat(golden.path("invalid"))
        .isNotEmpty()
        .allMatch(json -> RequestJson.read(json.toString(), AT_MS).isEmpty());
  }

  @Test
  void shouldReadTheShortestRequest() {
    assertThat(RequestJson.parse("{\"series\": [\"x\"]}", AT_MS))
        .isEqualTo(new SeriesRequest("unknown", AT_MS, new DeleteSeries(List.of("x"), null)));
  }

  @Test
  void shouldHaveNoJsonForTheEndOfPoints() {
    assertThatThrownBy(() -> RequestJson.write(new SeriesRequest("", 0L, new EndOfPoints())))
        .isInstanceOf(IllegalArgumentException.class);
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
        "{\"series\": [1]} | series has a member that is not text: 1",
        "{\"series\": [\";a=b\"]} | ident has no name: ';a=b'",
        "{\"series\": [], \"silent\": 1} | unknown member 'silent'",
        "{\"series\": [], \"silent_since_ms\": \"1d\"} | silent_since_ms is not a number of milliseconds",
        "{\"series\": [], \"silent_since_ms\": 1.5} | silent_since_ms is not a number of milliseconds",
        "{\"renames\": []} | renames is not an object of idents",
        "{\"renames\": {\"a\": 1}} | renames has a member that is not text: 1",
        "{\"renames\": {\"a\": \";a=b\"}} | ident has no name: ';a=b'",
        "{\"renames\": {\"a\": \"a\"}} | old and new name are the same: a",
        "{\"renames\": {\"a\": \"c\", \"b\": \"c\"}} | is in two renamings: c",
        "{\"renames\": {\"a\": \"b\", \"b\": \"c\"}} | is in two renamings: b",
        "{\"renames\": {}, \"series\": []} | unknown member 'series'",
        "{\"creates\": []} | creates is not an object of idents",
        "{\"creates\": {\"a\": 1}} | expected {\"from_ms\": ms, \"until_ms\": ms}: 1",
        "{\"creates\": {\"a\": {\"from_ms\": 1, \"until_ms\": 2.5}}} | expected {\"from_ms\": ms, \"until_ms\": ms}: {\"from_ms\":1,\"until_ms\":2.5}",
        "{\"creates\": {\"a\": {\"from_ms\": 2, \"until_ms\": 2}}} | expected 0 <= from_ms < until_ms: 2, 2",
        "{\"creates\": {\"a\": {\"from_ms\": -1, \"until_ms\": 2}}} | expected 0 <= from_ms < until_ms: -1, 2",
        "{\"creates\": {\";a=b\": {\"from_ms\": 1, \"until_ms\": 2}}} | ident has no name: ';a=b'",
        "{\"creates\": {}, \"series\": []} | unknown member 'series'"
      })
  void shouldReportWhyARequestIsInvalid(String json, String message) {
    assertThatThrownBy(() -> RequestJson.parse(json, AT_MS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
    assertThat(RequestJson.read(json, AT_MS)).isEmpty();
  }

  @Test
  void shouldRejectATombstone() {
    assertThatThrownBy(() -> RequestJson.parse(null, AT_MS)).hasMessage("not a JSON object");
  }
}
