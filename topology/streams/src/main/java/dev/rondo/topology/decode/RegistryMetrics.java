package dev.rondo.topology.decode;

import dev.rondo.formats.schemaregistry.LookupOutcome;
import dev.rondo.formats.schemaregistry.RegistrySchemas;
import dev.rondo.topology.source.SourceRules;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of the schema registries that sources use. */
final class RegistryMetrics {
  private RegistryMetrics() {}

  static void register(SourceRules rules, MeterRegistry registry) {
    for (RegistrySchemas schemas : rules.registries()) {
      for (LookupOutcome outcome : LookupOutcome.values()) {
        FunctionCounter.builder("rondo.registry.lookups", schemas, all -> all.lookups(outcome))
            .description("Schemas looked up in a registry; known ones need no lookup")
            .tag("registry", schemas.registry())
            .tag("outcome", outcome.key())
            .register(registry);
      }
    }
  }
}
