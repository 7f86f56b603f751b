package dev.rondo.tools.check.cluster;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.catalog.Format;
import dev.rondo.tools.check.cluster.TopicProposal.Kind;
import dev.rondo.tools.check.mapping.ProposedSource;
import dev.rondo.tools.check.mapping.SchemaProposal;
import dev.rondo.tools.check.record.CheckedRecord;
import dev.rondo.tools.check.record.RecordCheck;
import dev.rondo.tools.check.record.SampleSummary;
import dev.rondo.tools.command.CommandException;
import dev.rondo.tools.size.Deployment;
import dev.rondo.tools.size.SourceCost;
import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.source.Registries;
import dev.rondo.topology.source.Source;
import dev.rondo.topology.source.SourcesFile;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Proposes a source for each sampled topic. Thread-confined. */
final class Proposer {
  /** A topic whose records are mostly unreadable has no metrics. */
  private static final double MIN_READABLE = 0.5;

  private final TopologyConfig config;
  private final Optional<String> registry;
  private final Registries registries;
  private final SourcesFile sources;
  private final TimeLimits limits;
  private final int mostPartitions;
  private final Clock clock;

  /**
   * @param registry of the schemas of framed records: URL, or name of one in the sources file
   */
  Proposer(TopologyConfig config, Optional<String> registry, Clock clock) {
    this.config = config;
    this.registry = registry;
    this.registries = config.registries();
    this.sources = new SourcesFile(config.sourceDefaults());
    this.limits = TimeLimits.of(config, config.policies());
    this.mostPartitions = config.getInt("partitions");
    this.clock = clock;
  }

  TopicProposal of(ClusterSample.Sample sample) {
    String topic = sample.topic();
    if (!sample.isAllowed()) {
      return TopicProposal.refused(topic, Kind.UNREADABLE, "");
    }
    if (sample.records().isEmpty()) {
      return TopicProposal.refused(topic, sample.isWhole() ? Kind.EMPTY : Kind.NOT_SAMPLED, "");
    }
    Format format = format(sample.records());
    Map<String, Object> entry = entry(topic, format, Optional.empty());
    List<CheckedRecord> checked = check(sample, entry);
    if (format.takesTimeUnit() && haveWrongTimes(checked)) {
      entry = entry(topic, format, timeUnit(sample, format));
      checked = check(sample, entry);
    }
    if (noPoints(checked).isPresent() && areFramed(sample.records())) {
      if (registry.isEmpty()) {
        return TopicProposal.refused(topic, Kind.FRAMED, "");
      }
      try {
        entry = ofRegistry(sample);
        checked = check(sample, entry);
      } catch (CommandException e) {
        return TopicProposal.refused(topic, Kind.FRAMED, e.getMessage());
      }
    }
    Optional<String> noPoints = noPoints(checked);
    if (noPoints.isPresent()) {
      return TopicProposal.refused(topic, Kind.NO_POINTS, noPoints.get());
    }
    int partitions = sample.partitions().size();
    SampleSummary summary = SampleSummary.of(checked, partitions);
    double records = sample.partitions().stream().mapToDouble(PartitionEnds::perSecond).sum();
    double perRecord = (double) summary.stored() / summary.records();
    SeriesEstimate series = SeriesEstimate.of(checked, records * perRecord);
    KeyedProposal keyed = KeyedProposal.of(checked, summary, partitions, mostPartitions);
    return new TopicProposal(
        topic,
        Optional.empty(),
        entry,
        keyed,
        sample.records().get(0).timestampType(),
        records,
        records * perRecord,
        series,
        cost(checked, series.series(), records * perRecord, keyed.isKeyed(), perRecord),
        idents(checked));
  }

  /** The format of all records, or auto. */
  private static Format format(List<ConsumerRecord<byte[], byte[]>> records) {
    Set<Format> seen =
        records.stream()
            .filter(record -> record.value() != null)
            .map(record -> Format.recognised(record.value()))
            .collect(Collectors.toSet());
    return seen.size() == 1 ? seen.iterator().next() : Format.AUTO;
  }

  private static boolean areFramed(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().anyMatch(SchemaProposal::isFramed)
        && records.stream()
            .allMatch(record -> record.value() == null || SchemaProposal.isFramed(record));
  }

  private Map<String, Object> ofRegistry(ClusterSample.Sample sample) {
    return ProposedSource.ofRegistry(
            config,
            registries,
            sample.topic(),
            registry.orElseThrow(),
            Map.of(),
            sample.records(),
            clock)
        .proposal()
        .entry();
  }

  private static Map<String, Object> entry(String topic, Format format, Optional<String> timeUnit) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("topic", topic);
    entry.put("format", format.key());
    timeUnit.ifPresent(unit -> entry.put("time.unit", unit));
    return entry;
  }

  private List<CheckedRecord> check(ClusterSample.Sample sample, Map<String, Object> entry) {
    Source source = sources.one(entry, registries);
    var check = new RecordCheck(source, limits, clock);
    return sample.records().stream().map(check::check).toList();
  }

  /** Whether all times are decades off. */
  private static boolean haveWrongTimes(List<CheckedRecord> records) {
    return !havePoints(records)
        && records.stream()
            .flatMap(record -> record.drops().stream())
            .anyMatch(CheckedRecord.Drop::isDecadesOff);
  }

  private static boolean havePoints(List<CheckedRecord> records) {
    return records.stream().anyMatch(record -> !record.points().isEmpty());
  }

  private Optional<String> timeUnit(ClusterSample.Sample sample, Format format) {
    return ProposedSource.TIME_UNITS.stream()
        .filter(unit -> havePoints(check(sample, entry(sample.topic(), format, Optional.of(unit)))))
        .findFirst();
  }

  private static Optional<String> noPoints(List<CheckedRecord> checked) {
    SampleSummary summary = SampleSummary.of(checked, 1);
    long unreadable =
        summary.dropped().entrySet().stream()
            .filter(entry -> entry.getKey() == DropReason.UNREADABLE)
            .mapToLong(Map.Entry::getValue)
            .sum();
    long dropped = summary.dropped().values().stream().mapToLong(Integer::longValue).sum();
    long pieces = summary.stored() + dropped;
    if (summary.stored() > 0 && unreadable <= (1 - MIN_READABLE) * pieces) {
      return Optional.empty();
    }
    return Optional.of(
        summary.drops().values().stream()
            .findFirst()
            .map(drop -> "%s: %s".formatted(drop.reason().key(), drop.detail()))
            .orElse("no record has a point"));
  }

  private static SourceCost cost(
      List<CheckedRecord> records,
      long series,
      double pointsPerSecond,
      boolean isKeyed,
      double perRecord) {
    Map<String, Long> byPolicy = new TreeMap<>();
    Map<String, Policy> policies = new HashMap<>();
    Set<String> seen = new LinkedHashSet<>();
    for (CheckedRecord record : records) {
      for (CheckedRecord.Point point : record.points()) {
        if (seen.add(point.ident())) {
          byPolicy.merge(point.policy().name(), 1L, Long::sum);
          policies.put(point.policy().name(), point.policy());
        }
      }
    }
    SourceCost cost = SourceCost.NONE;
    for (Map.Entry<String, Long> one : byPolicy.entrySet()) {
      double share = (double) one.getValue() / seen.size();
      long ofPolicy = Math.max(1, Math.round(series * share));
      cost =
          cost.plus(
              SourceCost.of(
                  Deployment.of(
                      ofPolicy,
                      ofPolicy / Math.max(1e-6, pointsPerSecond * share),
                      policies.get(one.getKey()).archives(),
                      isKeyed,
                      (int) Math.max(1, Math.round(perRecord)))));
    }
    return cost;
  }

  private static Set<String> idents(List<CheckedRecord> records) {
    return records.stream()
        .flatMap(record -> record.points().stream())
        .map(CheckedRecord.Point::ident)
        .collect(Collectors.toSet());
  }
}
