package dev.rondo.topology.clients;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.topics.RecordTimeBound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once about each source whose record times may be too far ahead. Not thread-safe. */
final class SourceTimes {
  private static final Logger LOG = LoggerFactory.getLogger(SourceTimes.class);

  private final long maxFutureMs;
  private final String bootstrap;
  private final Set<String> checked = new HashSet<>();

  SourceTimes(TopologyConfig config) {
    this.maxFutureMs = config.getLong("max.future.ms");
    this.bootstrap = config.kafka().bootstrap();
  }

  /** Checks new sources; never fails. */
  void check(Admin admin, Collection<String> sources) throws InterruptedException {
    List<String> added = sources.stream().filter(checked::add).toList();
    if (added.isEmpty()) {
      return;
    }
    try {
      List<String> unknown = new ArrayList<>();
      for (RecordTimeBound bound : RecordTimeBound.of(admin, added)) {
        bound.weakness(maxFutureMs, bootstrap).ifPresent(LOG::warn);
        if (bound.aheadMs().isEmpty()) {
          unknown.add(bound.topic());
        }
      }
      if (!unknown.isEmpty()) {
        LOG.info(
            "Unknown how far records of {} may be ahead: no right to DescribeConfigs", unknown);
      }
    } catch (ExecutionException e) {
      LOG.warn("Unknown how far records of {} may be ahead: {}", added, e.getCause().toString());
    }
  }
}
