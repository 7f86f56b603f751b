package dev.rondo.tools.series;

import dev.rondo.schemas.Topics;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.deletion.EndedSeries;
import dev.rondo.topology.topics.TopicReader;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** When series were deleted or renamed, by the requests that Kafka has. */
public final class Deletions {
  private final TopologyConfig config;
  private final Map<TopicPartition, Long> next = new HashMap<>();
  private final Map<String, Long> latestMs = new HashMap<>();

  public Deletions(TopologyConfig config) {
    this.config = config;
  }

  /** The time of the latest request for each of these series that has one, epoch ms by ident. */
  public Map<String, Long> of(Collection<String> series) throws InterruptedException {
    TopicReader.readOn(
        config,
        config.topic(Topics.DELETIONS),
        next,
        request ->
            EndedSeries.of(request.value())
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
}
