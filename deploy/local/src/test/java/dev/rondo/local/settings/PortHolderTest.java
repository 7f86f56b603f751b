package dev.rondo.local.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PortHolderTest {
  private static final String LISTENER =
      "   0: 0100007F:2384 00000000:0000 0A 00000000:00000000 00:00000000 00000000   0   0 4711 1 0";

  @Test
  void shouldReadInodeOfListener() {
    assertThat(PortHolder.inode(LISTENER, 9092)).contains("4711");
    assertThat(PortHolder.inode(LISTENER, 9093)).isEmpty();
    assertThat(PortHolder.inode(LISTENER.replace(" 0A ", " 01 "), 9092)).isEmpty();
    assertThat(PortHolder.inode("sl local_address rem_address st", 9092)).isEmpty();
  }

  @Test
  void shouldFindThisProcess() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "needs Linux' /proc");
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(PortHolder.of(socket.getLocalPort()))
          .hasValueSatisfying(
              holder -> assertThat(holder).startsWith("pid " + ProcessHandle.current().pid()));
    }
  }
}
