package dev.rondo.bench.peers;

import dev.rondo.bench.BenchException;
import dev.rondo.bench.ingest.Workload;
import dev.rondo.embedded.ChildProcess;
import dev.rondo.embedded.FileTree;
import dev.rondo.embedded.FreePort;
import dev.rondo.embedded.Launch;
import dev.rondo.harness.Load;
import dev.rondo.harness.RondoCli;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A VictoriaMetrics single node with its defaults, in a temporary folder. */
final class VictoriaMetrics implements AutoCloseable {
  static final String NAME = "VictoriaMetrics";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration START_BOUND = Duration.ofSeconds(60);
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final RondoCli cli;
  private final ChildProcess process;
  private final URI http;
  private final int graphitePort;

  private VictoriaMetrics(RondoCli cli, ChildProcess process, URI http, int graphitePort) {
    this.cli = cli;
    this.process = process;
    this.http = http;
    this.graphitePort = graphitePort;
  }

  /** Starts an empty one; it ends with this process. */
  static VictoriaMetrics start(Path binary) throws IOException {
    var cli = RondoCli.forDir(Files.createTempDirectory("rondo-bench-"));
    URI http = URI.create("http://127.0.0.1:" + FreePort.choose());
    int graphitePort = FreePort.choose();
    ChildProcess process =
        ChildProcess.start(
            NAME,
            List.of(
                binary.toAbsolutePath().toString(),
                "-storageDataPath=" + data(cli),
                "-httpListenAddr=" + http.getAuthority(),
                "-graphiteListenAddr=127.0.0.1:" + graphitePort),
            Map.of(),
            cli.dir(),
            Launch.to(cli.dir().resolve("logs/victoria-metrics.log")));
    var started = new VictoriaMetrics(cli, process, http, graphitePort);
    process.awaitReady(START_BOUND, () -> started.get("/health").equals("OK"));
    return started;
  }

  private static Path data(RondoCli cli) {
    return cli.dir().resolve("data");
  }

  /** Starts a load, as Rondo's, whose points are sent as Graphite lines over TCP. */
  Load load(String run, String plan, Workload workload, String... more)
      throws IOException, InterruptedException {
    var options = new ArrayList<>(workload.inFormat("graphite").loadOptions());
    options.addAll(List.of("--run=" + run, "--graphite=127.0.0.1:" + graphitePort));
    options.addAll(List.of(more));
    return Load.begin(cli, plan, options);
  }

  ProcessHandle process() {
    return process.process();
  }

  URI api() {
    return http;
  }

  int graphitePort() {
    return graphitePort;
  }

  /** Points taken in. */
  long points() throws IOException, InterruptedException {
    return (long) metric("vm_rows_inserted_total{type=\"graphite\"}");
  }

  /** Version, as it reports it; one built without the make files does not know it. */
  String version() throws IOException, InterruptedException {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith("vm_app_version"))
        .findFirst()
        .map(line -> line.replaceFirst(".*\\{version=\"([^\"]*)\".*", "$1"))
        .filter(version -> !version.isEmpty())
        .orElse("of unknown version");
  }

  private double metric(String name) throws IOException, InterruptedException {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Answer to a GET request. */
  String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(http.resolve(path)).timeout(BOUND).build();
    var response = HTTP.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new BenchException(
          "%s answers %s with status %d".formatted(NAME, path, response.statusCode()));
    }
    return response.body();
  }

  /** Ends it, so that everything in memory is written; then the folders can be measured. */
  void stop() {
    process.close();
  }

  /** Bytes of the values on disk. */
  long valueBytes() throws IOException {
    return bytes(file -> file.startsWith("data") && !isIndex(file));
  }

  /** Bytes of the names and their index on disk. */
  long indexBytes() throws IOException {
    return bytes(VictoriaMetrics::isIndex);
  }

  /** Whether a file belongs to the index, in whatever folder a release keeps it. */
  private static boolean isIndex(Path file) {
    return StreamSupport.stream(file.spliterator(), false)
        .anyMatch(folder -> folder.toString().equals("indexdb"));
  }

  private long bytes(Predicate<Path> isMeant) throws IOException {
    try (Stream<Path> files = Files.walk(data(cli))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> isMeant.test(data(cli).relativize(file)))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Override
  public void close() throws IOException {
    process.close();
    FileTree.delete(cli.dir());
  }
}
