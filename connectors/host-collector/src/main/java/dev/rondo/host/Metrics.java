package dev.rondo.host;

import java.util.Map;

/** A source of values that are published at every multiple of the interval. Not thread-safe. */
interface Metrics {
  /** Prefix of every name, without the last dot. */
  String parent();

  /** Returns values by name under the parent: current ones, and rates since the last call. */
  Map<String, Double> read();
}
