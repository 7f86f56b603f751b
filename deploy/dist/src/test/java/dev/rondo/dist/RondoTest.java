package dev.rondo.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RondoTest {
  @ParameterizedTest
  @MethodSource("listed")
  void shouldHelpWithEachCommandThatItLists(String command) throws Exception {
    assertThat(output(command, "--help"))
        .startsWith("Usage: rondo")
        .contains(command)
        .doesNotContain("./rondo");
  }

  @Test
  void shouldHelpWithASubcommand() throws Exception {
    assertThat(output("policies", "apply", "--help")).startsWith("Usage: rondo policies apply");
  }

  @Test
  void shouldListTheCommandsWithoutOne() throws Exception {
    assertThat(listed()).contains("topology", "api", "migrate", "check");
  }

  static List<String> listed() throws Exception {
    return output()
        .lines()
        .filter(line -> line.startsWith("  "))
        .map(line -> line.strip().split(" ", 2)[0])
        .filter(command -> !command.equals("host-collector")) // ends the process after its help
        .toList();
  }

  private static String output(String... arguments) throws Exception {
    PrintStream before = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      Rondo.main(arguments);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8);
  }
}
