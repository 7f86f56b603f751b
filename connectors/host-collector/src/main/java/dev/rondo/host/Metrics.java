package dev.rondo.host;

import java.util.Map;

/** Something whose values are published at every multiple of the interval. For one thread. */
interface Metrics {
  /** What every name starts with, without the last dot. */
  String parent();

  /** Values by name under the parent: of now, and rates since the last call. */
  Map<String, Double> read();
}
