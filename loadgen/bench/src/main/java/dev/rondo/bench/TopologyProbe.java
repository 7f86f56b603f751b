package dev.rondo.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Reads metrics and memory of a running topology.
 *
 * @param httpPort of its health and metrics
 * @param pid of its process
 */
public record TopologyProbe(int httpPort, long pid) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration BOUND = Duration.ofSeconds(10);

  boolean isRunning() throws IOException, InterruptedException {
    return get("/health").contains("RUNNING");
  }

  /** A counter or gauge without labels; 0 if it does not exist yet. */
  double metric(String name) throws IOException, InterruptedException {
    return sum(name + " ");
  }

  /** Points that were not stored, for whatever reason. */
  public long droppedPoints() throws IOException, InterruptedException {
    return (long) sum("rondo_drops_points_total{");
  }

  /** Sum of all metrics whose line starts with a prefix. */
  public double sum(String beginning) throws IOException, InterruptedException {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(beginning))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private String get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + httpPort + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(BOUND).build();
    return HTTP.send(request, BodyHandlers.ofString()).body();
  }

  /** Bytes on the heap after a full collection. */
  long heapAfterCollection() throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("jcmd GC.run failed for the topology, pid " + pid);
    }
    return (long) sum("jvm_memory_used_bytes{area=\"heap\"");
  }

  /** Resident memory of the process in bytes; 0 without {@code /proc}. */
  long residentBytes() throws IOException {
    return ProcessMemory.of(process()).rss() * 1024;
  }

  /** CPU time of the process so far, ms. */
  long cpuMs() {
    return (long) (ProcessCpu.of(process()) * 1e3);
  }

  private ProcessHandle process() {
    return ProcessHandle.of(pid).orElseThrow();
  }
}
