package dev.rondo.tools.series;

import dev.rondo.schemas.DeleteSeries;
import dev.rondo.schemas.Rename;
import dev.rondo.schemas.RenameSeries;
import dev.rondo.schemas.SeriesRequest;
import dev.rondo.schemas.Topics;
import dev.rondo.schemas.requests.RequestJson;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.TopicReader;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When series were deleted or renamed, by the requests that Kafka has. */
public final class Deletions implements AutoCloseable {
  private final TopicReader<String, String> requests;
  private final Map<String, Long> latestMs = new HashMap<>();

  public Deletions(TopologyConfig config) {
    requests = new TopicReader<>(config, config.topic(Topics.SERIES_REQUESTS));
  }

  /** The time of the latest request for each of these series that has one, epoch ms by ident. */
  public Map<String, Long> of(Collection<String> series) throws InterruptedException {
    requests.readOn(
        request ->
            ended(request.value())
                .forEach(ident -> latestMs.merge(ident, request.timestamp(), Math::max)));
    var requested = new HashMap<String, Long>();
    for (String ident : series) {
      Long ms = latestMs.get(ident);
      if (ms != null) {
        requested.put(ident, ms);
      }
    }
    return requested;
  }

  /** Canonical idents of the series that a request deletes or renames. */
  private static List<String> ended(String json) {
    Object request = RequestJson.read(json, 0).map(SeriesRequest::getRequest).orElse(null);
    if (request instanceof DeleteSeries deletes) {
      return deletes.getIdents();
    }
    return request instanceof RenameSeries renames
        ? renames.getRenames().stream().map(Rename::getIdent).toList()
        : List.of();
  }

  @Override
  public void close() {
    requests.close();
  }
}
