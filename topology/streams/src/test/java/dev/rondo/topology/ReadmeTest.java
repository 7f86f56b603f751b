package dev.rondo.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.RecordLimits;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourcesFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README.md matches the code. */
class ReadmeTest {
  private static final Path README = Path.of("../README.md");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @TempDir Path etc;

  @Test
  void shouldShowPoliciesThatCanBeRead() throws IOException {
    List<String> examples = examples(README, "policies:");
    assertThat(examples).hasSize(2);
    examples.forEach(PoliciesFile::parse);
  }

  @Test
  void shouldShowSourcesThatCanBeRead() throws Exception {
    List<String> examples = new ArrayList<>(examples(README, "sources:"));
    assertThat(examples).hasSize(1);
    examples.addAll(examples(Path.of("../../docs/how-to/existing-topics.md"), "sources:"));
    examples.addAll(examples(Path.of("../../docs/how-to/load-and-verify.md"), "sources:"));
    List<String> schemas = schemaExamples();
    assertThat(schemas).hasSize(2);
    examples.addAll(schemas);
    assertThat(examples).hasSizeGreaterThan(6);
    Policies policies =
        PoliciesFile.parse(Policies.DEFAULT_YAML.replace("name: default", "name: scraped"));
    var reader =
        new SourcesFile(
            new SourceDefaults(InternalTopics.DEFAULT, 1024, 64, RecordLimits.DEFAULT, policies));
    for (String example : examples) {
      reader.parse(example.replace("policy: default", "policy: scraped"));
    }
  }

  /** Examples with schemas, whose files are in a folder of the test. */
  private List<String> schemaExamples() throws Exception {
    Path page = Path.of("../../docs/how-to/schema-registry.md");
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init((KeyStore) null);
    byte[] any =
        ((X509TrustManager) trusted.getTrustManagers()[0]).getAcceptedIssuers()[0].getEncoded();
    Files.writeString(
        etc.resolve("registry-ca.pem"),
        "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(any)));
    Files.writeString(etc.resolve("registry-password"), "geheim");
    Files.writeString(
        etc.resolve("reading.proto"),
        "package shop; message Batch { optional string metric = 1; optional double value = 2; }");
    return Stream.of("sources:", "registries:")
        .flatMap(begin -> examples(page, begin).stream())
        .map(yaml -> yaml.replace("/etc/rondo", etc.toString()))
        .toList();
  }

  private static List<String> examples(Path file, String begin) {
    return YAML.matcher(text(file))
        .results()
        .map(match -> match.group(1))
        .filter(yaml -> yaml.startsWith(begin))
        .toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
