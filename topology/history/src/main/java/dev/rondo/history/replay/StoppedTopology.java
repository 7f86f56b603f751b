package dev.rondo.history.replay;

import dev.rondo.history.offsets.GroupOffsets;
import dev.rondo.tools.command.CommandException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.MemberDescription;

/**
 * Waits until the topology has stopped, as offsets can only be set while the group has no members.
 * An instance that has ended stays in the group until its session times out, and looks like one
 * that runs.
 */
final class StoppedTopology {
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final GroupOffsets group;
  private final Duration bound;
  private final Consumer<String> out;

  /**
   * @param session time after which the group drops a member that has ended
   */
  StoppedTopology(GroupOffsets group, Duration session, Consumer<String> out) {
    this.group = group;
    this.bound = session.plus(GRACE);
    this.out = out;
  }

  /**
   * Returns when the group has no members.
   *
   * @throws CommandException that names the members that stay
   */
  void await() throws ExecutionException, InterruptedException {
    Collection<MemberDescription> members = group.members();
    if (members.isEmpty()) {
      return;
    }
    out.accept(
        "waiting up to %d s for %s to leave the consumer group, in case it has just been stopped ..."
            .formatted(bound.toSeconds(), describe(members)));
    long deadline = System.nanoTime() + bound.toNanos();
    while (!members.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw CommandException.refused(
            ("the topology is running: %s; stop every instance first (./rondo stop topology, if"
                    + " ./rondo started it). Nothing was changed")
                .formatted(describe(members)));
      }
      Thread.sleep(POLL.toMillis());
      members = group.members();
    }
  }

  /** Such as {@code instance 1-1 at /10.0.0.7}. */
  static String describe(Collection<MemberDescription> members) {
    return members.stream()
        .map(
            member ->
                "instance %s at %s"
                    .formatted(member.groupInstanceId().orElse(member.clientId()), member.host()))
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
