package dev.rondo.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.ProcessTree;
import dev.rondo.harness.RondoCli.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Rondo started by {@code ./rondo up} on free ports; it ends with this process. */
public final class LocalRondo implements AutoCloseable {
  private static final List<String> PORTS =
      List.of(
          "kafka", "postgres", "connect", "connect-metrics", "kafka-metrics", "api", "topology");
  private static final long LOOK_MS = 50;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RondoCli cli;
  private final Path stateFile;
  private volatile Running up;
  private boolean isOver;
  private volatile boolean isRemoved;

  private LocalRondo(RondoCli cli) {
    this.cli = cli;
    this.stateFile = cli.dir().resolve("rondo.json");
  }

  /**
   * Starts it and waits until all parts answer.
   *
   * @param options additional options for {@code ./rondo up}
   */
  public static LocalRondo up(RondoCli cli, List<String> options)
      throws IOException, InterruptedException {
    return new LocalRondo(cli).up(options);
  }

  /** The same, but removes the data at the end, unless the start failed. */
  public static LocalRondo temporary(RondoCli cli, List<String> options)
      throws IOException, InterruptedException {
    var rondo = new LocalRondo(cli);
    rondo.removeAtEnd();
    return rondo.up(options);
  }

  /** A temporary one that publishes metrics of this machine and its own, as users start it. */
  public static LocalRondo temporaryWithHostMetrics(RondoCli cli)
      throws IOException, InterruptedException {
    var rondo = new LocalRondo(cli);
    rondo.removeAtEnd();
    return rondo.start(List.of());
  }

  private LocalRondo up(List<String> options) throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of("--no-host-metrics", "--no-own-metrics"));
    all.addAll(options);
    return start(all);
  }

  private LocalRondo start(List<String> options) throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of("--detach"));
    PORTS.forEach(part -> all.add("--" + part + "-port=0"));
    all.addAll(options);
    OpenAtExit.addOwner(this);
    up = cli.start("up", all);
    if (up.await() != 0) {
      isRemoved &= OpenAtExit.isExiting(); // otherwise keep the logs
      throw up.failed();
    }
    return this;
  }

  /**
   * Address of a part.
   *
   * @param name key in {@code ./rondo status --json}: {@code kafka}, {@code topology}, {@code
   *     postgres}, {@code api}
   */
  public String address(String name) {
    return state().get(name).textValue();
  }

  /** Processes of the running parts, by name. */
  public Map<String, ProcessHandle> processes() {
    var processes = new LinkedHashMap<String, ProcessHandle>();
    state()
        .path("parts")
        .fieldNames()
        .forEachRemaining(part -> process(part).ifPresent(found -> processes.put(part, found)));
    return processes;
  }

  /** The process that started the parts and supervises them. */
  public ProcessHandle supervisor() {
    return ProcessHandle.of(state().at("/supervisor/pid").asLong()).orElseThrow();
  }

  /** When a part last began to run and answer. */
  public Instant runsSince(String part) {
    return Instant.parse(state(part).path("since").asText());
  }

  /** Main process of a part; empty while it does not run. */
  public Optional<ProcessHandle> process(String part) {
    return Optional.of(state(part).path("pid").asLong())
        .filter(pid -> pid > 0)
        .flatMap(ProcessHandle::of)
        .filter(ProcessTree::isAlive);
  }

  /** Whether a part runs and has answered since its last start. */
  public boolean isReady(String part) {
    return state(part).path("state").asText().equals("running") && process(part).isPresent();
  }

  /** Number of restarts of a part. */
  public int restarts(String part) {
    return state(part).path("restarts").asInt();
  }

  /** Stops a part until it is started again. */
  public void stop(String part) throws IOException, InterruptedException {
    run("stop", part);
  }

  /** Starts a stopped part and waits until it answers. */
  public void start(String part) throws IOException, InterruptedException {
    run("start", part);
  }

  private void run(String command, String part) throws IOException, InterruptedException {
    Running running = cli.start(command, List.of(part));
    if (running.await() != 0) {
      throw running.failed();
    }
  }

  private JsonNode state(String part) {
    return state().path("parts").path(part);
  }

  /** Reads the state file, which the supervisor replaces atomically. */
  private JsonNode state() {
    try {
      return JSON.readTree(Files.readString(stateFile));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + stateFile, e);
    }
  }

  /** Keeps it running after this process. */
  public void leave() {
    isOver = true;
    OpenAtExit.remove(this);
  }

  /** Removes its data at the end. */
  private void removeAtEnd() {
    isRemoved = true;
  }

  /** Ends it; keeps the data unless {@link #removeAtEnd} was called. */
  @Override
  public synchronized void close() {
    if (isOver) {
      return;
    }
    try {
      if (!hasBegun()) {
        return;
      }
      isOver = true;
      Running down = cli.startDetached("down", isRemoved ? List.of("--wipe") : List.of());
      if (down.await() != 0) {
        throw down.failed();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not end the Rondo in " + cli.dir(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    OpenAtExit.remove(this);
  }

  /** Whether there is a Rondo to end; waits for one that is starting. */
  private boolean hasBegun() throws InterruptedException {
    while (up != null && up.process().isAlive() && !Files.exists(stateFile)) {
      Thread.sleep(LOOK_MS); // ending the command would not end the supervisor
    }
    return Files.exists(stateFile);
  }
}
