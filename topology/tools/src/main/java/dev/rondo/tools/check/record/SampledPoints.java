package dev.rondo.tools.check.record;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.decode.TimeLimits;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.source.Source;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a sample of the newest records of a source holds.
 *
 * @param perRecord points that would be stored, per record
 * @param byPolicy the share of each policy in them, 0..1
 */
public record SampledPoints(double perRecord, List<Share> byPolicy) {
  private static final int RECORDS = 200;

  /** Part of the points that a policy covers. */
  public record Share(Policy policy, double share) {}

  /** Reads a sample of the source's topic. */
  public static SampledPoints of(
      TopologyConfig config, Admin admin, Source source, Clock clock, Consumer<String> out)
      throws ExecutionException, InterruptedException {
    var check = new RecordCheck(source, TimeLimits.of(config, config.policies()), clock);
    try (var sample = new TopicSample(source.topic(), config.reader(), out)) {
      sample.find(admin);
      return of(
          sample.read(SampleStart.parse(null, clock), RECORDS).stream().map(check::check).toList());
    }
  }

  static SampledPoints of(List<CheckedRecord> records) {
    List<CheckedRecord.Point> points =
        records.stream().flatMap(record -> record.points().stream()).toList();
    Map<String, Long> counts =
        points.stream()
            .collect(
                Collectors.groupingBy(
                    point -> point.policy().name(), TreeMap::new, Collectors.counting()));
    Map<String, Policy> policies =
        points.stream()
            .map(CheckedRecord.Point::policy)
            .collect(Collectors.toMap(Policy::name, Function.identity(), (one, same) -> one));
    var shares = new ArrayList<Share>();
    counts.forEach(
        (name, count) -> shares.add(new Share(policies.get(name), (double) count / points.size())));
    return new SampledPoints((double) points.size() / Math.max(1, records.size()), shares);
  }
}
