package dev.rondo.topology.access;

/** A part of Rondo that connects to Kafka, usually with its own principal. */
public enum Part {
  TOPOLOGY,
  /** The Connect worker with the sink. */
  CONNECT,
  /** The query API, if it deletes series, or shows and resends dead letters. */
  API,
  /** The commands: check, replay, dead-letters, policies, series, why. */
  TOOLS,
  /** Collectors that write points, such as the host collector. */
  SENDERS
}
