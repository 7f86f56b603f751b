package dev.rondo.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The help texts in git, which {@code --help} also prints before a build, match the commands. After
 * a change: {@code ./rondo test HelpTest -Drondo.golden=write}, and review the difference.
 */
class HelpTest {
  private static final Path HELP = Path.of("src/main/resources/dev/rondo/dist/help");

  @Test
  void shouldBeGenerated() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    add(texts, "", Root.ofClone());
    Map<String, String> ofRelease = new TreeMap<>();
    add(ofRelease, "", Root.ofRelease());
    ofRelease.forEach(
        (name, text) -> {
          if (!text.equals(texts.get(name))) {
            texts.put("release/" + name, text);
          }
        });
    if ("write".equals(System.getProperty("rondo.golden"))) {
      write(texts);
    }
    assertThat(read()).isEqualTo(texts);
    assertThat(texts.values())
        .as("a release replaces ./rondo, which no line may divide: change the words before it")
        .noneMatch(text -> text.contains(".\n/rondo"));
  }

  /** Returns the help of a command, and of its subcommands as {@code COMMAND-SUBCOMMAND}. */
  private static void add(Map<String, String> texts, String path, CommandLine command) {
    texts.put(path.isEmpty() ? "rondo.txt" : path + ".txt", command.getUsageMessage());
    command
        .getSubcommands()
        .forEach((name, each) -> add(texts, path.isEmpty() ? name : path + "-" + name, each));
  }

  private static Map<String, String> read() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(HELP)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.put(HELP.relativize(file).toString(), Files.readString(file));
      }
    }
    return texts;
  }

  private static void write(Map<String, String> texts) throws IOException {
    for (String old : read().keySet()) {
      Files.delete(HELP.resolve(old));
    }
    for (var text : texts.entrySet()) {
      Files.writeString(HELP.resolve(text.getKey()), text.getValue());
    }
  }
}
