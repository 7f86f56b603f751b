package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.connection.postgres.PostgresUrl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values that {@code /render} has shown, of the slots of the finest step: these are emitted once,
 * so that a slot has one value for ever, or none yet. Values of a load are random, and tell their
 * series.
 */
final class Shown {
  private static final double PRECISION = 1e-9;
  private static final int EXAMPLES = 5;

  private static final String FINEST = "select min(step_ms) / 1000 from rra_bundle";

  /** The values of a series by the end of their slot, epoch s. */
  private static final String STORED =
      """
      select extract(epoch from tv.t)::bigint, r
      from ds join tv on tv.ds_id = ds.id join rra_bundle on rra_bundle.id = tv.rra_bundle_id
      where ident = rondo_ident(?) and tv.step_ms = ? * 1000 and rra_bundle.cf = rra_bundle.aggregate
      """;

  /** Values by series, step and end of the slot, both in seconds. */
  private final Map<String, Map<Long, Map<Long, List<Double>>>> values = new LinkedHashMap<>();

  private int responses;
  private int failed;
  private String failure;

  /**
   * Adds a series of a response.
   *
   * @param datapoints pairs of a value or null, and epoch s
   */
  void add(String name, JsonNode datapoints) {
    if (datapoints.size() < 2) {
      return; // its step is unknown
    }
    long stepS = datapoints.get(1).get(1).asLong() - datapoints.get(0).get(1).asLong();
    Map<Long, List<Double>> slots =
        values
            .computeIfAbsent(name, n -> new TreeMap<>())
            .computeIfAbsent(stepS, step -> new TreeMap<>());
    for (JsonNode datapoint : datapoints) {
      if (!datapoint.get(0).isNull()) {
        double value = datapoint.get(0).asDouble();
        List<Double> seen =
            slots.computeIfAbsent(datapoint.get(1).asLong(), t -> new ArrayList<>());
        if (!seen.contains(value)) {
          seen.add(value);
        }
      }
    }
  }

  void answered() {
    responses++;
  }

  /** A request failed, as while PostgreSQL is away. */
  void failed(String why) {
    failed++;
    failure = why.strip();
  }

  List<String> names() {
    return List.copyOf(values.keySet());
  }

  int responses() {
    return responses;
  }

  int failed() {
    return failed;
  }

  int series() {
    return values.size();
  }

  /** Slots with a value, of all steps. */
  long slots() {
    return values.values().stream()
        .flatMap(steps -> steps.values().stream())
        .mapToLong(Map::size)
        .sum();
  }

  String text() {
    return "/render: %d responses showed %d slots of %d series; %d requests failed%s"
        .formatted(
            responses, slots(), series(), failed, failure == null ? "" : ", the last: " + failure);
  }

  /** Descriptions of values that are not those which PostgreSQL has at last; a few of them. */
  List<String> differences(PostgresUrl url) throws SQLException {
    try (Connection connection = url.connect("rondo-chaos")) {
      long finestS = finestS(connection);
      Map<String, Map<Long, Double>> stored = new HashMap<>();
      for (String name : names()) {
        stored.put(name, stored(connection, name, finestS));
      }
      return differences(stored, finestS);
    }
  }

  /** The same, for the slots of a step that are stored: values by series and epoch s. */
  List<String> differences(Map<String, Map<Long, Double>> stored, long stepS) {
    List<String> differences = new ArrayList<>();
    values.forEach(
        (name, steps) ->
            steps
                .getOrDefault(stepS, Map.of())
                .forEach(
                    (end, seen) -> {
                      Double right = stored.getOrDefault(name, Map.of()).get(end);
                      for (double value : seen) {
                        if (!isEqual(right, value)) {
                          differences.add(
                              "/render showed %s as %s at %d; PostgreSQL has %s"
                                  .formatted(value, name, end, right));
                        }
                      }
                    }));
    if (differences.size() <= EXAMPLES) {
      return differences;
    }
    List<String> some = new ArrayList<>(differences.subList(0, EXAMPLES));
    some.add("/render showed %d such values".formatted(differences.size()));
    return some;
  }

  private static boolean isEqual(Double stored, double shown) {
    return stored != null
        && Math.abs(stored - shown) <= PRECISION * Math.max(Math.abs(stored), Math.abs(shown));
  }

  private static long finestS(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet result = statement.executeQuery(FINEST)) {
      result.next();
      return result.getLong(1);
    }
  }

  private static Map<Long, Double> stored(Connection connection, String name, long stepS)
      throws SQLException {
    Map<Long, Double> stored = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(STORED)) {
      statement.setString(1, name);
      statement.setLong(2, stepS);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          stored.put(result.getLong(1), result.getDouble(2));
        }
      }
    }
    return stored;
  }
}
