package dev.rondo.topology.clients;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Partition count of each source that is read, by topic; 0 for a pattern without a topic. */
public final class SourcePartitions {
  private static final Logger LOG = LoggerFactory.getLogger(SourcePartitions.class);

  private final MultiGauge gauge;
  private Map<String, Integer> counts = Map.of();

  public SourcePartitions(MeterRegistry registry) {
    gauge =
        MultiGauge.builder("rondo.sources.partitions")
            .description(
                "Partitions of a source topic that is read; 0 for a pattern that matches no"
                    + " topic yet")
            .register(registry);
  }

  /** Replaces the counts and logs changes. */
  void update(Map<String, Integer> now) {
    if (now.equals(counts)) {
      return;
    }
    LOG.info("Partitions of the sources: {}, previously {}", now, counts);
    counts = Map.copyOf(now);
    gauge.register(
        counts.entrySet().stream()
            .map(each -> Row.of(Tags.of("source", each.getKey()), each.getValue()))
            .collect(Collectors.toList()),
        true);
  }
}
