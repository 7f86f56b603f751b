package dev.rondo.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rondo.harness.Door.Running;
import dev.rondo.embedded.OpenAtExit;
import dev.rondo.embedded.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Rondo of {@code ./rondo up}, in a folder and at ports of its own; ended with this process. */
public final class LocalRondo implements AutoCloseable {
  private static final List<String> PORTS =
      List.of("kafka", "postgres", "connect", "connect-metrics", "api", "topology");
  private static final long LOOK_MS = 50;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Door door;
  private final Path stateFile;
  private volatile Running up;
  private boolean isOver;
  private volatile boolean isRemoved;

  private LocalRondo(Door door) {
    this.door = door;
    this.stateFile = door.dir().resolve("rondo.json");
  }

  /**
   * Returns when all of it answers.
   *
   * @param options more of {@code ./rondo up}
   */
  public static LocalRondo up(Door door, List<String> options)
      throws IOException, InterruptedException {
    return new LocalRondo(door).up(options);
  }

  /** The same, and its data go with it when it is ended; not where it did not come up. */
  public static LocalRondo temporary(Door door, List<String> options)
      throws IOException, InterruptedException {
    var rondo = new LocalRondo(door);
    rondo.removeAtEnd();
    return rondo.up(options);
  }

  private LocalRondo up(List<String> options) throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of("--detach", "--no-host-metrics"));
    PORTS.forEach(part -> all.add("--" + part + "-port=0"));
    all.addAll(options);
    OpenAtExit.addOwner(this);
    up = door.start("up", all);
    if (up.await() != 0) {
      isRemoved &= OpenAtExit.isExiting(); // otherwise its logs tell more
      throw up.failed();
    }
    return this;
  }

  /**
   * Where a part answers.
   *
   * @param name as {@code ./rondo status --json} has it: {@code kafka}, {@code topology}, {@code
   *     postgres}, {@code api}
   */
  public String address(String name) {
    return state().get(name).textValue();
  }

  /** The processes of its parts that run, by name. */
  public Map<String, ProcessHandle> processes() {
    var processes = new LinkedHashMap<String, ProcessHandle>();
    state()
        .path("parts")
        .fieldNames()
        .forEachRemaining(part -> process(part).ifPresent(found -> processes.put(part, found)));
    return processes;
  }

  /** The process of a part, its children not counted; empty while it does not run. */
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

  /** How often a part was started again. */
  public int restarts(String part) {
    return state(part).path("restarts").asInt();
  }

  /** Ends a part, which stays so until it is started. */
  public void stop(String part) throws IOException, InterruptedException {
    run("stop", part);
  }

  /** Starts a part that was stopped; returns when it has answered. */
  public void start(String part) throws IOException, InterruptedException {
    run("start", part);
  }

  private void run(String command, String part) throws IOException, InterruptedException {
    Running running = door.start(command, List.of(part));
    if (running.await() != 0) {
      throw running.failed();
    }
  }

  private JsonNode state(String part) {
    return state().path("parts").path(part);
  }

  /** The supervisor replaces the file as a whole at each change. */
  private JsonNode state() {
    try {
      return JSON.readTree(Files.readString(stateFile));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + stateFile, e);
    }
  }

  /** It goes on when this process has ended. */
  public void leave() {
    isOver = true;
    OpenAtExit.remove(this);
  }

  /** Its data go with it when it is ended. */
  public void removeAtEnd() {
    isRemoved = true;
  }

  /** Ends it; its data stay, unless they are to be removed. */
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
      Running down = door.startForGood("down", isRemoved ? List.of("--wipe") : List.of());
      if (down.await() != 0) {
        throw down.failed();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not end the Rondo in " + door.dir(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    OpenAtExit.remove(this);
  }

  /** Whether there is something to end; what is just being started is waited for. */
  private boolean hasBegun() throws InterruptedException {
    while (up != null && up.process().isAlive() && !Files.exists(stateFile)) {
      Thread.sleep(LOOK_MS); // it is not ended with the command that starts it
    }
    return Files.exists(stateFile);
  }
}
