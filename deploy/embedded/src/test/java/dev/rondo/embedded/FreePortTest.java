package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FreePortTest {
  private static final int STARTS = 2_000;

  @Test
  void shouldNotTakeThePortOfAProcessThatStarts() throws IOException {
    int port = FreePort.choose();
    var isOver = new AtomicBoolean();
    var polls =
        CompletableFuture.runAsync(
            () -> {
              while (!isOver.get()) {
                FreePort.isListening(port);
              }
            });
    try {
      for (int start = 0; start < STARTS; start++) {
        listen(port).close(); // fails if the poll has bound the port
      }
    } finally {
      isOver.set(true);
      polls.join();
    }
  }

  @Test
  void shouldSeeWhetherAProcessListens() throws IOException {
    int port = FreePort.choose();

    assertThat(FreePort.isListening(port)).isFalse();
    try (var server = listen(port)) {
      assertThat(FreePort.isListening(server.getLocalPort())).isTrue();
    }
  }

  @Test
  void shouldChooseEachPortOnce() {
    var chosen = new HashSet<Integer>();
    for (int i = 0; i < 500; i++) {
      assertThat(chosen.add(FreePort.choose())).isTrue();
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1_000, InetAddress.getLoopbackAddress());
  }
}
