package dev.rondo.local.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Shows that points arrive: draws one series once it has a value. */
public final class LivePicture {
  private static final Duration FIRST_VALUE_BOUND = Duration.ofSeconds(45);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(5);

  private final String api;
  private final Path tokenFile;
  private final Terminal terminal;

  /**
   * @param tokenFile of the query API; null if it requires no token
   */
  public LivePicture(String api, Path tokenFile, Terminal terminal) {
    this.api = api;
    this.tokenFile = tokenFile;
    this.terminal = terminal;
  }

  /** Waits for the first value, at most 45 s, and draws once. */
  public void drawOnce() throws InterruptedException {
    long deadline = System.nanoTime() + FIRST_VALUE_BOUND.toNanos();
    terminal.line("waiting for the first metrics of this machine ...");
    while (System.nanoTime() < deadline) {
      var picture = fetch();
      if (picture.isPresent()) {
        terminal.draw(picture.get().lines(terminal.glyphs()));
        return;
      }
      Thread.sleep(POLL.toMillis());
    }
    terminal.line(
        "no value of hosts.*.cpu.busy within %d s: see ./rondo status and the logs"
            .formatted(FIRST_VALUE_BOUND.toSeconds()));
  }

  /** Redraws periodically until interrupted. */
  public void keepDrawing() throws InterruptedException {
    while (true) {
      Thread.sleep(REFRESH.toMillis());
      fetch().ifPresent(picture -> terminal.draw(picture.lines(terminal.glyphs())));
    }
  }

  private Optional<Picture> fetch() throws InterruptedException {
    try {
      String token = tokenFile == null ? null : Files.readString(tokenFile).strip();
      return Picture.fetch(api, token);
    } catch (IOException e) {
      return Optional.empty(); // the API is restarting
    }
  }
}
