package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourcesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** README.md says what the code does. */
class ReadmeTest {
  private static final Path README = Path.of("../README.md");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @Test
  void shouldShowPoliciesThatCanBeRead() throws IOException {
    List<String> examples = examples(README, "policies:");
    assertThat(examples).hasSize(2);
    examples.forEach(PoliciesFile::parse);
  }

  @Test
  void shouldShowSourcesThatCanBeRead() throws IOException {
    List<String> examples = new ArrayList<>(examples(README, "sources:"));
    assertThat(examples).hasSize(1);
    examples.addAll(examples(Path.of("../../docs/how-to/existing-topics.md"), "sources:"));
    examples.addAll(examples(Path.of("../../docs/how-to/load-and-verify.md"), "sources:"));
    assertThat(examples).hasSizeGreaterThan(4);
    Policies policies =
        PoliciesFile.parse(Policies.DEFAULT_YAML.replace("name: default", "name: scraped"));
    var reader = new SourcesFile(new SourceDefaults(InternalTopics.DEFAULT, 1024, 64, policies));
    for (String example : examples) {
      reader.parse(example.replace("policy: default", "policy: scraped"));
    }
  }

  private static List<String> examples(Path file, String begin) throws IOException {
    return YAML.matcher(Files.readString(file))
        .results()
        .map(match -> match.group(1))
        .filter(yaml -> yaml.startsWith(begin))
        .toList();
  }

  @Test
  void shouldHoldTheDefaultPoliciesAndEveryReasonForADrop() throws IOException {
    String readme = Files.readString(README);
    assertThat(readme).contains(Policies.DEFAULT_YAML);
    for (DropReason reason : DropReason.values()) {
      assertThat(readme).contains("| `" + reason.key() + "` |");
    }
  }
}
