package dev.rondo.tools.deadletters.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

class DeadLetterTest {
  private static final List<String> OF_TOPOLOGY =
      List.of(
          "rondo.topic=points", "rondo.partition=1", "rondo.offset=2", "rondo.reason=unreadable");
  private static final List<String> OF_CONNECT =
      List.of(
          "__connect.errors.topic=rondo.series",
          "__connect.errors.partition=3",
          "__connect.errors.offset=4",
          "__connect.errors.exception.class.name=x.RefusedRecordException");

  private static DeadLetter withHeaders(List<String> first, List<String> last) {
    var record = new ConsumerRecord<>("rondo.dead-letters", 0, 0, new byte[0], new byte[0]);
    for (List<String> some : List.of(first, last)) {
      for (String header : some) {
        int end = header.indexOf('=');
        record.headers().add(header.substring(0, end), header.substring(end + 1).getBytes(UTF_8));
      }
    }
    return DeadLetter.of(record).orElseThrow();
  }

  @Test
  void shouldNotLetASenderChooseTheTopic() {
    DeadLetter deadLetter = withHeaders(OF_CONNECT, OF_TOPOLOGY);

    assertThat(deadLetter.source().topic()).isEqualTo("points");
    assertThat(deadLetter.reason()).isEqualTo("unreadable");
  }

  @Test
  void shouldReadWhatTheSinkRejected() {
    DeadLetter deadLetter = withHeaders(OF_TOPOLOGY, OF_CONNECT);

    assertThat(deadLetter.source().topic()).isEqualTo("rondo.series");
    assertThat(deadLetter.reason()).isEqualTo("sink-refused");
  }

  @Test
  void shouldSendWhatToSkip() {
    assertThat(withHeaders(OF_TOPOLOGY, List.of("rondo.skip=s")).headersToSend())
        .extracting(header -> header.key() + "=" + new String(header.value(), UTF_8))
        .containsExactly("rondo.resent=1", "rondo.written=-1", "rondo.skip=s");
    assertThat(withHeaders(OF_TOPOLOGY, List.of()).headersToSend())
        .extracting(Header::key)
        .containsExactly("rondo.resent", "rondo.written");
  }
}
