package dev.rondo.topology.access;

import dev.rondo.topology.config.TopologyConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once about each refusal of a request that is retried until it succeeds. */
public final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

  private final TopologyConfig config;
  private String last = "";

  public RefusalLog(TopologyConfig config) {
    this.config = config;
  }

  /** Logs missing rights if they are the cause, unless the previous failure had the same ones. */
  public void failed(Throwable failure) {
    String refusal = MissingRights.explain(config, Part.TOPOLOGY, failure).orElse("");
    if (!refusal.isEmpty() && !refusal.equals(last)) {
      LOG.warn("{}", refusal);
    }
    last = refusal;
  }

  /** Resets the log after a successful request. */
  public void succeeded() {
    last = "";
  }
}
