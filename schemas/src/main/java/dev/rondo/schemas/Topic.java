package dev.rondo.schemas;

import java.util.Map;
import org.apache.kafka.common.serialization.Serde;

/** A topic: name, serdes of key and value, and the configs used to create it. */
public record Topic<K, V>(
    String name, Serde<K> keySerde, Serde<V> valueSerde, Map<String, String> configs) {
  public Topic {
    configs = Map.copyOf(configs);
  }

  /** Returns the same topic under another name. */
  public Topic<K, V> named(String other) {
    return new Topic<>(other, keySerde, valueSerde, configs);
  }
}
