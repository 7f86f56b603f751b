package dev.rondo.local.parts;

import dev.rondo.embedded.Launch;
import dev.rondo.embedded.RunningProcess;
import java.nio.file.Path;

/**
 * One process of Rondo.
 *
 * @param at URL or host:port; null if it serves nothing
 * @param starter starts the part and waits until it answers; called again for a restart
 */
record Part(String name, String at, Path log, Starter starter) {
  /** Starts the part's process. */
  @FunctionalInterface
  interface Starter {
    RunningProcess start(Launch launch);
  }
}
