package dev.rondo.local.parts;

import dev.rondo.embedded.Launch;
import dev.rondo.embedded.RunningProcess;
import java.nio.file.Path;

/**
 * One process of Rondo.
 *
 * @param at URL or host:port; null where it serves nothing
 * @param starter returns when the part answers; called again when it has ended
 */
record Part(String name, String at, Path log, Starter starter) {
  /** Starts the part's process. */
  @FunctionalInterface
  interface Starter {
    RunningProcess start(Launch launch);
  }
}
