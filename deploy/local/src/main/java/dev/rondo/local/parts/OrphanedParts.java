package dev.rondo.local.parts;

import dev.rondo.embedded.ProcessTree;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;

/** Ends parts in {@code rondo.json} whose supervisor was killed. */
public final class OrphanedParts {
  private static final Duration GRACE = Duration.ofSeconds(20);

  private OrphanedParts() {}

  /**
   * Ends the parts that still run, in reverse start order.
   *
   * @return number of parts ended
   */
  public static int end(State state) {
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

  /** Sends SIGTERM to the process, and after {@code grace} SIGKILL to it and its descendants. */
  public static void end(ProcessHandle process, Duration grace) {
    var tree = ProcessTree.of(process);
    process.destroy();
    if (!tree.endsWithin(grace)) {
      tree.kill();
    }
  }
}
