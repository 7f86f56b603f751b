package dev.rondo.schemas;

import java.util.Map;
import org.apache.kafka.common.serialization.Serde;

/** A topic: its name, the serdes of its key and value, and the configs that it is created with. */
public record Topic<K, V>(
    String name, Serde<K> keySerde, Serde<V> valueSerde, Map<String, String> configs) {
  public Topic {
    configs = Map.copyOf(configs);
  }

  /** The same topic under another name. */
  public Topic<K, V> named(String other) {
    return new Topic<>(other, keySerde, valueSerde, configs);
  }
}
