package dev.rondo.local.parts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends commands to a running JVM of this user. */
final class Jcmd {
  private static final long BOUND_SECONDS = 60;

  private Jcmd() {}

  /** Runs a command; returns when it is done, the JVM has ended, or after a minute. */
  static void run(long pid, String... command) throws IOException, InterruptedException {
    var all = new ArrayList<String>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    all.add(Long.toString(pid));
    all.addAll(List.of(command));
    var process =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
  }
}
