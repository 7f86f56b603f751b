package dev.rondo.topology.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.Naming;
import dev.rondo.schemas.CreateSeries;
import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.NewSeries;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.topology.decode.SeriesPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouteRequestsTest {
  private static final int PARTITIONS = 4;
  private static final long AT_MS = 1_000;

  private final MockProcessorContext<Integer, SpecificRecord> routed = new MockProcessorContext<>();
  private final RouteRequests route = new RouteRequests(new Naming(1024, 64), PARTITIONS);

  @BeforeEach
  void start() {
    route.init(routed);
  }

  private void process(Object request) {
    String json = RequestJson.write(new SeriesRequest("me", 0L, request));
    route.process(new Record<>("", json, AT_MS));
  }

  @Test
  void shouldRouteADeletionToAllPartitions() {
    var deletes = new DeleteSeries(List.of("a", "b"), 5L);
    process(deletes);
    var record = routed.forwarded().get(0).record();
    assertThat(record.value()).isEqualTo(new SeriesRequest("me", AT_MS, deletes));
    assertThat(partitions(record.key(), (SeriesRequest) record.value()))
        .hasValueSatisfying(to -> assertThat(to).containsExactlyInAnyOrder(0, 1, 2, 3));
  }

  @Test
  void shouldRouteEachNewSeriesToThePartitionOfItsPoints() {
    List<NewSeries> series = new ArrayList<>();
    for (int n = 0; n < 40; n++) {
      series.add(new NewSeries("s" + n, (long) n, 100L));
    }
    process(new CreateSeries("p", "t", series));

    List<NewSeries> received = new ArrayList<>();
    for (var forward : routed.forwarded()) {
      Integer partition = forward.record().key();
      var request = (SeriesRequest) forward.record().value();
      assertThat(partitions(partition, request))
          .hasValueSatisfying(to -> assertThat(to).containsExactly(partition));
      assertThat(request.getBy()).isEqualTo("me");
      var creates = (CreateSeries) request.getRequest();
      assertThat(creates.getPolicy()).isEqualTo("p");
      assertThat(creates.getSource()).isEqualTo("t");
      assertThat(creates.getSeries())
          .allMatch(each -> SeriesPartition.of(each.getIdent(), PARTITIONS) == partition);
      received.addAll(creates.getSeries());
    }
    assertThat(received).containsExactlyInAnyOrderElementsOf(series);
  }

  @Test
  void shouldIgnoreARequestThatIsWrong() {
    route.process(new Record<>("", "{\"series\": [1]}", AT_MS));
    route.process(new Record<>("", "{\"renames\": {\"a\": \"a b\"}}", AT_MS));
    assertThat(routed.forwarded()).isEmpty();
  }

  private static Optional<Set<Integer>> partitions(Integer key, SeriesRequest request) {
    return RouteRequests.partitioner()
        .partitions("", key, request, new RecordHeaders(), PARTITIONS);
  }
}
