package dev.rondo.tools.send;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

class SendCommandTest {
  @Test
  void shouldSendTheBytesOfALineAsTheyAre() {
    byte[] latin = "caf\u00e9 1 N".getBytes(ISO_8859_1);
    byte[] utf8 = "caf\u00e9 2 N".getBytes(UTF_8);
    byte[] bytes = new byte[latin.length + 3 + utf8.length];
    System.arraycopy(latin, 0, bytes, 0, latin.length);
    System.arraycopy("\r\n\n".getBytes(UTF_8), 0, bytes, latin.length, 3);
    System.arraycopy(utf8, 0, bytes, latin.length + 3, utf8.length);
    assertThat(SendCommand.read(new ByteArrayInputStream(bytes))).containsExactly(latin, utf8);
  }
}
