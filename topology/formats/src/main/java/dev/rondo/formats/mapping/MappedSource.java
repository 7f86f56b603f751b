package dev.rondo.formats.mapping;

import dev.rondo.formats.schemaregistry.Schemas;
import java.util.Optional;

/**
 * How the records of a source are mapped to points.
 *
 * @param schemas of the records; empty for JSON, which needs none
 */
public record MappedSource(Mapping mapping, Optional<Schemas> schemas) {
  /** Returns the same mapping for the records of a topic. */
  public MappedSource ofTopic(String topic) {
    return new MappedSource(mapping, schemas.map(all -> all.ofTopic(topic)));
  }
}
