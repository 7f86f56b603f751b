package dev.rondo.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Ends processes by what {@code rondo.json} says of them: those whose supervisor was killed. */
final class LeftBehind {
  private static final Duration GRACE = Duration.ofSeconds(20);

  private LeftBehind() {}

  /**
   * Ends the parts that still run, the last started first.
   *
   * @return how many there were
   */
  static int end(State state) {
    var parts = new ArrayList<>(state.parts.values());
    Collections.reverse(parts);
    int ended = 0;
    for (PartState part : parts) {
      var process = part.process() == null ? null : part.process().find().orElse(null);
      if (process != null) {
        end(process, GRACE);
        ended++;
      }
    }
    return ended;
  }

  /** SIGTERM, and after {@code grace} SIGKILL, to the process and then to its own children. */
  static void end(ProcessHandle process, Duration grace) {
    var tree = Stream.concat(Stream.of(process), process.descendants()).toList();
    process.destroy();
    if (!isGoneWithin(process, grace)) {
      tree.forEach(ProcessHandle::destroyForcibly);
    }
    tree.forEach(
        each -> {
          if (!isGoneWithin(each, grace)) {
            each.destroyForcibly();
          }
        });
  }

  private static boolean isGoneWithin(ProcessHandle process, Duration bound) {
    try {
      process.onExit().get(bound.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return !process.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }
}
