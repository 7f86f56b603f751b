package dev.rondo.chaos;

import dev.rondo.door.LocalRondo;
import dev.rondo.embedded.ProcessTree;

/**
 * A part that the supervisor of {@code ./rondo up} keeps.
 *
 * @param name as the supervisor has it
 */
record SupervisedPart(LocalRondo rondo, String name) implements Victim {
  @Override
  public boolean isReady() {
    return rondo.isReady(name);
  }

  @Override
  public void kill() {
    rondo.process(name).map(ProcessTree::of).ifPresent(ProcessTree::kill);
  }

  @Override
  public int restarts() {
    return rondo.restarts(name);
  }
}
