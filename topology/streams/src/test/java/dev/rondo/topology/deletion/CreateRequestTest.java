package dev.rondo.topology.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.Points;
import dev.rondo.topology.decode.SeriesPartition;
import dev.rondo.topology.deletion.CreateRequest.Span;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreateRequestTest {
  @Test
  void shouldReadWhatItWrites() {
    var creates = Map.of("load;host=\"ü\"", new Span(1, 2), "y", new Span(0, Long.MAX_VALUE));
    var request = new CreateRequest("a@b", "p", "points", creates);
    assertThat(CreateRequest.isOne(request.json())).isTrue();
    assertThat(CreateRequest.parse(request.json())).isEqualTo(request);
    var plain = new CreateRequest("a@b", "", "", Map.of());
    assertThat(CreateRequest.parse(plain.json())).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"creates\": []} | creates is not an object of idents",
        "{\"creates\": {\"a\": 1}} | expected {\"from_ms\": ms, \"until_ms\": ms}: 1",
        "{\"creates\": {\"a\": {\"from_ms\": 1, \"until_ms\": 2.5}}} | expected {\"from_ms\": ms, \"until_ms\": ms}: {\"from_ms\":1,\"until_ms\":2.5}",
        "{\"creates\": {\"a\": {\"from_ms\": 2, \"until_ms\": 2}}} | expected 0 <= from_ms < until_ms: 2, 2",
        "{\"creates\": {\"a\": {\"from_ms\": -1, \"until_ms\": 2}}} | expected 0 <= from_ms < until_ms: -1, 2",
        "{\"creates\": {\";a=b\": {\"from_ms\": 1, \"until_ms\": 2}}} | ident has no name: ';a=b'",
        "{\"creates\": {}, \"series\": []} | unknown member 'series'"
      })
  void shouldSayWhatIsWrong(String json, String message) {
    assertThatThrownBy(() -> CreateRequest.parse(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void shouldRefuseANameThatNoPointHas() {
    var request = new CreateRequest("", "", "", Map.of("a..b", new Span(1, 2)));
    assertThatThrownBy(() -> request.check(new Naming(16, 2)))
        .hasMessage("no series can be called 'a..b': it would be 'a.b'");
  }

  @Test
  void shouldRouteEachSeriesToThePartitionThatItsPointsGoTo() {
    int partitions = 4;
    Map<String, Span> creates = new HashMap<>();
    for (int n = 0; n < 40; n++) {
      creates.put("s" + n, new Span(n, 100));
    }
    MockProcessorContext<Integer, Points> routed = new MockProcessorContext<>();
    RouteDeletions route = new RouteDeletions(new Naming(1024, 64), partitions);
    route.init(routed);
    route.process(new Record<>("", new CreateRequest("me", "p", "t", creates).json(), 1_000));

    Map<String, Span> received = new HashMap<>();
    for (var forward : routed.forwarded()) {
      Integer partition = forward.record().key();
      Points points = forward.record().value();
      assertThat(RouteDeletions.partitioner().partitions("", partition, points, partitions))
          .hasValueSatisfying(to -> assertThat(to).containsExactly(partition));
      assertThat(points.getPolicy()).isEqualTo("p");
      assertThat(RoutedCreation.by(forward.record().headers())).isEqualTo("me");
      assertThat(RoutedCreation.source(forward.record().headers())).isEqualTo("t");
      points
          .getPoints()
          .forEach(
              point -> {
                assertThat(SeriesPartition.of(point.getIdent(), partitions)).isEqualTo(partition);
                received.put(
                    point.getIdent(), new Span(point.getT(), RoutedCreation.untilMs(point)));
              });
    }
    assertThat(received).isEqualTo(creates);
  }
}
