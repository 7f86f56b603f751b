package dev.rondo.topology.access;

import dev.rondo.topology.config.TopologyConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of each refusal of requests that are repeated until they succeed. */
public final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

  private final TopologyConfig config;
  private String last = "";

  public RefusalLog(TopologyConfig config) {
    this.config = config;
  }

  /** Logs the missing rights, if the request failed for that, and not for the same ones before. */
  public void failed(Throwable failure) {
    String refusal = MissingRights.explain(config, Part.TOPOLOGY, failure).orElse("");
    if (!refusal.isEmpty() && !refusal.equals(last)) {
      LOG.warn("{}", refusal);
    }
    last = refusal;
  }

  /** A request was successful. */
  public void succeeded() {
    last = "";
  }
}
