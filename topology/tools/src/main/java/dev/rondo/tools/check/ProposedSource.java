package dev.rondo.tools.check;

import dev.rondo.tools.check.mapping.SchemaProposal;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.source.Registries;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourcesFile;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A source proposed from the schemas of its records.
 *
 * @param schema names the schema
 * @param yaml lines of the sources file
 */
record ProposedSource(Source source, String schema, List<String> yaml) {
  private static final List<String> TIME_UNITS = List.of("ms", "us", "ns", "s");

  /**
   * Proposes a source.
   *
   * @param registry URL, or name of one in the sources file
   * @param settings of the source that no schema tells
   */
  static ProposedSource of(
      TopologyConfig config,
      String topic,
      String registry,
      Map<String, Object> settings,
      List<ConsumerRecord<byte[], byte[]>> records,
      Clock clock) {
    Registries registries = config.registries();
    var file = new SourcesFile(config.sourceDefaults());
    SchemaProposal proposal =
        SchemaProposal.of(topic, records, registries.schemas(registry, "--registry"), registry)
            .with(settings);
    List<SchemaProposal> candidates =
        proposal.hasPlainTime() && !settings.containsKey("time.unit")
            ? TIME_UNITS.stream().map(unit -> proposal.with(Map.of("time.unit", unit))).toList()
            : List.of(proposal);
    ProposedSource best = null;
    long leastMs = Long.MAX_VALUE;
    for (SchemaProposal candidate : candidates) {
      Source source = file.one(candidate.entry(), registries);
      long distanceMs = candidates.size() == 1 ? 0 : distanceMs(source, config, records, clock);
      if (best == null || distanceMs < leastMs) {
        best = new ProposedSource(source, candidate.schema(), candidate.yaml());
        leastMs = distanceMs;
      }
    }
    return best;
  }

  /** How far times are at least from when their records were written, ms. */
  private static long distanceMs(
      Source source,
      TopologyConfig config,
      List<ConsumerRecord<byte[], byte[]>> records,
      Clock clock) {
    var check = new RecordCheck(source, config.policies(), config.getLong("max.future.ms"), clock);
    return records.stream()
        .map(check::check)
        .flatMapToLong(ProposedSource::distancesMs)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static LongStream distancesMs(CheckedRecord checked) {
    return Stream.concat(
            checked.points().stream().map(CheckedRecord.Point::tMs),
            checked.drops().stream().filter(d -> d.tMs().isPresent()).map(d -> d.tMs().getAsLong()))
        .mapToLong(tMs -> Math.abs(tMs - checked.writtenMs()));
  }
}
