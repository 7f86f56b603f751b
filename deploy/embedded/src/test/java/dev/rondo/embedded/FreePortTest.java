package dev.rondo.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
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
  void shouldDetectWhetherAProcessListens() throws IOException {
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

  @Test
  void shouldReserveAPortForOneProcess() throws Exception {
    int port = FreePort.choose() + 20_000; // above all that are chosen
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Reservation.class.getName(),
                Integer.toString(port))
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('1');
      assertThat(FreePort.reserve(port)).isFalse();
    } finally {
      other.destroyForcibly().waitFor();
    }
    assertThat(FreePort.reserve(port)).isTrue();
  }

  /** Another process that reserves a port, until it is killed. */
  static final class Reservation {
    private Reservation() {}

    public static void main(String[] arguments) throws IOException {
      System.out.print(FreePort.reserve(Integer.parseInt(arguments[0])) ? '1' : '0');
      System.out.flush();
      System.in.read();
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1_000, InetAddress.getLoopbackAddress());
  }
}
