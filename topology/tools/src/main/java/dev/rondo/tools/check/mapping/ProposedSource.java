package dev.rondo.tools.check.mapping;

import dev.rondo.formats.schemaregistry.Schemas;
import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.RecordCheck;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.source.Registries;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourcesFile;
import java.time.Clock;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A source proposed from the schemas of its records.
 *
 * @param proposal the schema and the settings
 */
public record ProposedSource(Source source, SchemaProposal proposal) {
  /** Units of a time, the likeliest first. */
  public static final List<String> TIME_UNITS = List.of("ms", "us", "ns", "s");

  /**
   * Proposes a source of framed records.
   *
   * @param registry URL, or name of one in the sources file
   * @param settings of the source that are not in a schema
   */
  public static ProposedSource ofRegistry(
      TopologyConfig config,
      Registries registries,
      String topic,
      String registry,
      Map<String, Object> settings,
      List<ConsumerRecord<byte[], byte[]>> records,
      Clock clock) {
    Schemas schemas = registries.patientSchemas(registry, "--registry");
    SchemaProposal proposal = SchemaProposal.of(topic, records, schemas, registry).with(settings);
    return best(config, registries, List.of(proposal), records, clock);
  }

  /**
   * Proposes a source of records whose schema is in a file.
   *
   * @param message of Protobuf; empty = not given
   * @param settings of the source that are not in a schema
   */
  public static ProposedSource ofFile(
      TopologyConfig config,
      String topic,
      String file,
      String message,
      Map<String, Object> settings,
      List<ConsumerRecord<byte[], byte[]>> records,
      Clock clock) {
    List<SchemaProposal> proposals =
        SchemaProposal.ofFile(topic, records, file, message).stream()
            .map(proposal -> proposal.with(settings))
            .toList();
    return best(config, new Registries(), proposals, records, clock);
  }

  /** The one that finds the most points, with the times nearest to when records were written. */
  private static ProposedSource best(
      TopologyConfig config,
      Registries registries,
      List<SchemaProposal> proposals,
      List<ConsumerRecord<byte[], byte[]>> records,
      Clock clock) {
    var file = new SourcesFile(config.sourceDefaults());
    ProposedSource best = null;
    LongSummaryStatistics most = null;
    for (SchemaProposal proposal : proposals) {
      for (SchemaProposal candidate : withTimeUnits(proposal)) {
        var proposed = new ProposedSource(file.one(candidate.entry(), registries), candidate);
        LongSummaryStatistics distances = proposed.distancesMs(config, records, clock);
        boolean isBetter =
            most == null
                || distances.getCount() > most.getCount()
                || (distances.getCount() == most.getCount() && distances.getMin() < most.getMin());
        best = isBetter ? proposed : best;
        most = isBetter ? distances : most;
      }
    }
    return best;
  }

  private static List<SchemaProposal> withTimeUnits(SchemaProposal proposal) {
    return proposal.hasPlainTime() && !proposal.entry().containsKey("time.unit")
        ? TIME_UNITS.stream().map(unit -> proposal.with(Map.of("time.unit", unit))).toList()
        : List.of(proposal);
  }

  /** How far the times of points are from when their records were written, ms. */
  private LongSummaryStatistics distancesMs(
      TopologyConfig config, List<ConsumerRecord<byte[], byte[]>> records, Clock clock) {
    var check = new RecordCheck(source, TimeLimits.of(config, config.policies()), clock);
    return records.stream()
        .map(check::check)
        .flatMapToLong(ProposedSource::distancesMs)
        .summaryStatistics();
  }

  private static LongStream distancesMs(CheckedRecord checked) {
    return Stream.concat(
            checked.points().stream().map(CheckedRecord.Point::tMs),
            checked.drops().stream().filter(d -> d.tMs().isPresent()).map(d -> d.tMs().getAsLong()))
        .mapToLong(tMs -> Math.abs(tMs - checked.writtenMs()));
  }
}
