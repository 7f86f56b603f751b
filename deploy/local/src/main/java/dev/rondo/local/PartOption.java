package dev.rondo.local;

import dev.rondo.local.parts.ConnectorReconciler;
import dev.rondo.local.settings.UserError;
import dev.rondo.local.state.PartState;
import dev.rondo.local.state.State;
import dev.rondo.local.state.StateFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Parameters;

/** The part that {@code rondo stop} and {@code rondo start} act on. */
final class PartOption extends HomeOption {
  private static final Duration POLL = Duration.ofMillis(100);

  @Parameters(paramLabel = "PART", description = "A part, as named by ./rondo status.")
  String part;

  /**
   * @throws UserError if no Rondo runs in the folder, or it has no such part
   */
  void check(State state) {
    if (!state.isSupervised()) {
      throw new UserError("no Rondo runs in %s (--dir)".formatted(home().dir()));
    }
    if (part.equals(ConnectorReconciler.NAME)) {
      throw new UserError("the sink runs inside connect: stop or start connect instead");
    }
    if (!state.parts.containsKey(part)) {
      List<String> known = new ArrayList<>(state.parts.keySet());
      known.remove(ConnectorReconciler.NAME);
      throw new UserError(
          "no part '%s' in %s; its parts are %s"
              .formatted(part, home().dir(), String.join(", ", known)));
    }
  }

  State state() {
    return StateFile.read(home()).orElseGet(State::new);
  }

  /**
   * Waits until the part reaches a state.
   *
   * @throws UserError after {@code bound}, or if the supervisor ends
   */
  PartState await(Predicate<PartState> wanted, Duration bound) throws InterruptedException {
    long deadline = System.nanoTime() + bound.toNanos();
    while (true) {
      State state = state();
      check(state);
      PartState now = state.parts.get(part);
      if (wanted.test(now)) {
        return now;
      }
      if (System.nanoTime() > deadline) {
        throw new UserError(
            "%s is still %s after %d s; log: %s"
                .formatted(part, now.state(), bound.toSeconds(), now.log()));
      }
      Thread.sleep(POLL.toMillis());
    }
  }
}
