package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares docs/how-to/client.md with the code. */
class HowToTest {
  private static final Path PAGE = Path.of("../../../docs/how-to/client.md");
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern CLASS = Pattern.compile("public class (\\w+)");

  /** Pattern of the policy of counts, the first one of the page. */
  private static final Pattern MATCH = Pattern.compile("match: '(.*)'");

  @TempDir static Path dir;

  @Test
  void shouldHaveExamplesThatCompile() throws IOException {
    List<String> files = new ArrayList<>();
    for (MatchResult example : EXAMPLE.matcher(Files.readString(PAGE)).results().toList()) {
      var name = CLASS.matcher(example.group(1));
      assertThat(name.find()).isTrue();
      Path file = dir.resolve(name.group(1) + ".java");
      files.add(Files.writeString(file, example.group(1)).toString());
    }
    assertThat(files).isNotEmpty();
    files.addAll(0, List.of("-d", dir.toString(), "-proc:none"));
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, files.toArray(String[]::new));
    assertThat(failed).isZero();
  }

  /** A policy that adds up would spoil gauges. */
  @Test
  void shouldAddUpOnlyTheCountsOfClients() throws IOException {
    var match = MATCH.matcher(Files.readString(PAGE));
    assertThat(match.find()).isTrue();
    Pattern counts = Pattern.compile(match.group(1));
    assertThat(List.of("shop.orders.count", "shop.web.pay.count"))
        .allMatch(name -> counts.matcher(name).find());
    assertThat(List.of("hosts.web01.processes.count", "shop.orders.rate", "workshop.a.count"))
        .noneMatch(name -> counts.matcher(name).find());
  }

  @Test
  void shouldListEverySettingAndItsDefault() throws IOException {
    String page = Files.readString(PAGE);
    for (ConfigKey key : ClientSettings.DEFINITIONS.configKeys().values()) {
      assertThat(page)
          .containsPattern("\\| `%s` \\| ?`?%s`? ?\\|".formatted(key.name, key.defaultValue));
    }
  }
}
