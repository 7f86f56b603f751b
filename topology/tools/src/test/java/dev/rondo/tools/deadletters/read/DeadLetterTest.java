package dev.rondo.tools.deadletters.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.schemas.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The query API reads them alike: {@code query-api/tests/test_dead_letter.py}. */
class DeadLetterTest {
  private static final long WRITTEN_MS = 1_700_000_000_000L;

  private static Stream<Arguments> golden() throws IOException {
    try (InputStream file = Topics.class.getResourceAsStream("golden/dead-letters.json")) {
      JsonNode cases = new ObjectMapper().readTree(file);
      return StreamSupport.stream(cases.spliterator(), false)
          .map(each -> Arguments.of(each.path("what").asText(), each));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("golden")
  void shouldReadAndResendAsTheQueryApi(String what, JsonNode golden) {
    Optional<DeadLetter> read = DeadLetter.of(record(golden));

    JsonNode expected = golden.path("read");
    assertThat(read.isEmpty()).as(what).isEqualTo(expected.isNull());
    read.ifPresent(
        each -> {
          assertThat(each.source().topic()).isEqualTo(expected.path("topic").asText());
          assertThat(each.source().partition()).isEqualTo(expected.path("partition").asInt());
          assertThat(each.source().offset()).isEqualTo(expected.path("offset").asLong());
          assertThat(each.reason()).isEqualTo(expected.path("reason").asText());
          assertThat(each.detail()).isEqualTo(expected.path("detail").asText());
          assertThat(each.count()).isEqualTo(expected.path("count").asLong());
          assertThat(each.bytes()).isEqualTo(expected.path("bytes").asLong());
          assertThat(each.resent()).isEqualTo(expected.path("resent").asLong());
          assertThat(each.writtenMs()).isEqualTo(expected.path("written").asLong());
          assertThat(texts(each.headersToSend())).isEqualTo(texts(golden.path("sent")));
        });
  }

  private static ConsumerRecord<byte[], byte[]> record(JsonNode golden) {
    var headers = new RecordHeaders();
    for (JsonNode each : golden.path("headers")) {
      headers.add(each.path(0).asText(), each.path(1).asText().getBytes(UTF_8));
    }
    JsonNode text = golden.path("value");
    byte[] value = text.isNull() ? null : text.asText().getBytes(UTF_8);
    return new ConsumerRecord<>(
        "rondo.dead-letters",
        0,
        9,
        WRITTEN_MS,
        TimestampType.LOG_APPEND_TIME,
        0,
        0,
        null,
        value,
        headers,
        Optional.empty());
  }

  private static List<String> texts(Headers headers) {
    List<String> texts = new ArrayList<>();
    for (Header each : headers) {
      texts.add(each.key() + "=" + new String(each.value(), UTF_8));
    }
    return texts;
  }

  private static List<String> texts(JsonNode headers) {
    List<String> texts = new ArrayList<>();
    headers.forEach(each -> texts.add(each.path(0).asText() + "=" + each.path(1).asText()));
    return texts;
  }
}
