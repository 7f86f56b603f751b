package dev.rondo.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Phases of a start of the topology, ms since its process was started; -1: not logged. The first
 * four are from its log, the others are observed from outside.
 *
 * @param jvm its main method logs its first line
 * @param joining it has its topics and starts to join its group
 * @param assigned it knows its partitions
 * @param restored its changelogs are read
 * @param running all tasks have loaded their state
 * @param stored the first point is in its slot
 * @param committed the offset of the first point sent after the kill is committed
 * @param cpu CPU time of the process when the first point was in its slot
 */
record Timeline(
    long jvm,
    long joining,
    long assigned,
    long restored,
    long running,
    long stored,
    long committed,
    long cpu) {

  private static final String TIME = "(\\d{4}-\\S+)";

  /** Reads the log of a start that began at {@code startedMs}, epoch ms. */
  static Timeline of(Path log, long startedMs, long running, long stored, long committed, long cpu)
      throws IOException {
    List<String> lines = Files.readAllLines(log);
    return new Timeline(
        first(lines, "", startedMs),
        first(lines, "State transition from CREATED to REBALANCING", startedMs),
        first(lines, "to PARTITIONS_ASSIGNED", startedMs),
        moments(lines, "Finished restoring changelog", startedMs).max().orElse(-1),
        running,
        stored,
        committed,
        cpu);
  }

  private static long first(List<String> lines, String what, long startedMs) {
    return moments(lines, what, startedMs).findFirst().orElse(-1);
  }

  private static LongStream moments(List<String> lines, String what, long startedMs) {
    Pattern logged = Pattern.compile("^" + TIME + ".*" + what);
    return lines.stream()
        .map(logged::matcher)
        .filter(Matcher::find)
        .mapToLong(line -> OffsetDateTime.parse(line.group(1)).toInstant().toEpochMilli())
        .map(atMs -> atMs - startedMs);
  }
}
