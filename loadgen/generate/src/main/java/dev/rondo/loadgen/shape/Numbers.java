package dev.rondo.loadgen.shape;

import java.util.Map;

/** The parameters of a shape, by name. */
record Numbers(Map<String, Number> byName) {
  long whole(String name) {
    return byName.get(name).longValue();
  }

  double share(String name) {
    return byName.get(name).doubleValue();
  }
}
