package dev.rondo.tools.policies;

import dev.rondo.topology.policy.Spans;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A policy of a schema and an aggregation.
 *
 * @param step length of a slot, as in the policies file
 * @param aggregate function of the archives, {@code avg} or another; those of the policy's step
 *     store the last value of a slot, as in Whisper
 * @param notes comments on it
 */
record ImportedPolicy(
    String name,
    String match,
    String step,
    String aggregate,
    List<String> archives,
    List<String> notes) {
  private static final int MAX_NAME = 63;

  /** Policies of all combinations, in the order in which carbon looks for them. */
  static List<ImportedPolicy> all(
      List<StorageSchema> schemas, List<StorageAggregation> aggregations) {
    List<ImportedPolicy> policies = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (StorageSchema schema : schemas) {
      for (StorageAggregation aggregation : aggregations) {
        String name =
            aggregations.size() == 1 ? schema.name() : schema.name() + "." + aggregation.name();
        policies.add(of(unique(name, names), schema, aggregation));
      }
    }
    return policies;
  }

  private static ImportedPolicy of(
      String name, StorageSchema schema, StorageAggregation aggregation) {
    List<Retention> retentions = schema.retentions();
    return new ImportedPolicy(
        name,
        GraphitePattern.both(schema.pattern(), aggregation.pattern()),
        Spans.format(1_000 * retentions.get(0).stepSeconds()),
        aggregation.function(),
        retentions.stream().map(retention -> retention.archive(aggregation.xff())).toList(),
        Stream.concat(schema.notes().stream(), aggregation.notes().stream()).toList());
  }

  /** A name that the policies file accepts, and that no other policy has. */
  private static String unique(String wanted, Set<String> names) {
    String base = wanted.replaceAll("[^A-Za-z0-9_.-]+", "_").replaceFirst("^[^A-Za-z0-9]+", "");
    base = base.isEmpty() ? "policy" : base.substring(0, Math.min(base.length(), MAX_NAME));
    String name = base;
    for (int n = 2; !names.add(name); n++) {
      String number = "-" + n;
      name = base.substring(0, Math.min(base.length(), MAX_NAME - number.length())) + number;
    }
    return name;
  }
}
