package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param load as {@code ./rondo loadgen --json} tells it
 * @param restarts of each part, for whatever reason
 * @param drainSeconds from the end of the load until every point was consolidated
 * @param verify as {@code ./rondo verify --json} tells it
 * @param exitCode of verify
 * @param dir where data and logs are; null if they are removed
 */
record Outcome(
    List<Struck> struck,
    Map<Part, Integer> restarts,
    JsonNode load,
    double drainSeconds,
    JsonNode verify,
    int exitCode,
    Path dir) {}
