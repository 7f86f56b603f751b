package dev.rondo.bench.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.bench.BenchException;
import dev.rondo.bench.TopologyProbe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A whole Rondo of its own in a temporary folder, as {@code ./rondo up} starts it. */
final class Rondo implements AutoCloseable {
  /** Points of Rondo's own format, and a series never changes its partition. */
  private static final String SOURCES =
      """
      sources:
        - topic: points
          format: rondo
          keyed: true
      """;

  private static final Path ROOT = Path.of(System.getProperty("rondo.root", ".")).toAbsolutePath();

  private final Path dir;
  private JsonNode status;

  private Rondo(Path dir) {
    this.dir = dir;
  }

  /**
   * Starts one, empty.
   *
   * @throws BenchException where it does not come up
   */
  static Rondo start() throws IOException, InterruptedException {
    var rondo = new Rondo(Files.createTempDirectory("rondo-bench-"));
    Files.writeString(rondo.dir.resolve("sources.yaml"), SOURCES);
    rondo.run(
        "up",
        "--detach",
        "--no-host-metrics",
        "--kafka-port=0",
        "--postgres-port=0",
        "--connect-port=0",
        "--connect-metrics-port=0",
        "--api-port=0",
        "--topology-port=0");
    rondo.status = new ObjectMapper().readTree(rondo.run("status", "--json"));
    return rondo;
  }

  Path dir() {
    return dir;
  }

  /** Of the parts' own status: {@code kafka}, {@code topology}, {@code postgres}, {@code api}. */
  String address(String name) {
    return status.get(name).asText();
  }

  /** The processes of each part, children with it. */
  Map<String, ProcessHandle> parts() {
    var parts = new LinkedHashMap<String, ProcessHandle>();
    status
        .get("parts")
        .properties()
        .forEach(
            part ->
                ProcessHandle.of(part.getValue().path("pid").asLong())
                    .ifPresent(process -> parts.put(part.getKey(), process)));
    return parts;
  }

  /**
   * {@code ./rondo COMMAND --dir=…}, not awaited; its words on standard output are ours to read.
   */
  Process begin(String... arguments) throws IOException {
    return builder(arguments).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** The same, to its end. Returns what it printed. */
  String run(String... arguments) throws IOException, InterruptedException {
    Process process = builder(arguments).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new BenchException(
          "./rondo %s ended with exit code %d:%n%s".formatted(arguments[0], code, said.strip()));
    }
    return said;
  }

  /** Points that the topology has taken in. */
  long points() throws IOException, InterruptedException {
    var probe =
        new TopologyProbe(URI.create(address("topology")).getPort(), parts().get("topology").pid());
    return (long) probe.sum("rondo_decode_points_total ");
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        address("postgres")
            .replaceFirst("postgresql://(\\w+)@(.*)", "jdbc:postgresql://$2?user=$1"));
  }

  /** Memory of each part, what processes share counted once, MB; empty without {@code /proc}. */
  Map<String, Long> residentMb() throws IOException {
    var resident = new LinkedHashMap<String, Long>();
    for (var part : parts().entrySet()) {
      long kb = 0;
      for (ProcessHandle process :
          Stream.concat(Stream.of(part.getValue()), part.getValue().descendants()).toList()) {
        Path memory = Path.of("/proc", Long.toString(process.pid()), "smaps_rollup");
        if (Files.isReadable(memory)) {
          kb +=
              Files.readAllLines(memory).stream()
                  .filter(line -> line.startsWith("Pss:"))
                  .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                  .sum();
        }
      }
      resident.put(part.getKey(), kb / 1024);
    }
    return resident;
  }

  /** {@code clean}, or what {@code ./rondo verify} has found. */
  String verify(Path... plans) throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("verify", "--wait=120", "--sample=0"));
    for (Path plan : plans) {
      arguments.add("--plan=" + plan);
    }
    try {
      run(arguments.toArray(String[]::new));
      return "clean";
    } catch (BenchException e) {
      return e.getMessage();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      run("down");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ROOT.resolve("rondo").toString());
    command.addAll(List.of(arguments));
    command.add(2, "--dir=" + dir); // after the command
    var builder = new ProcessBuilder(command);
    builder.environment().put("RONDO_NO_BUILD", "1");
    return builder;
  }
}
