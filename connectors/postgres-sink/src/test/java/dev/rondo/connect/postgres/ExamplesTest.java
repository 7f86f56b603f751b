package dev.rondo.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.config.ConnectKeys;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The files in examples/ are valid for the connector. */
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("examples");
  private static final Pattern PROVIDER = Pattern.compile("^\\$\\{(\\w+):");

  @Test
  void shouldBeValidForAStandaloneWorker() throws IOException {
    var properties = new Properties();
    try (Reader reader = Files.newBufferedReader(EXAMPLES.resolve("standalone.properties"))) {
      properties.load(reader);
    }
    var config = new HashMap<String, String>();
    properties.forEach((key, value) -> config.put(key.toString(), value.toString()));
    shouldBeValid(config);
    assertThat(config.get("connection.password")).startsWith("${file:");
  }

  @Test
  void shouldBeValidForStrimzi() throws IOException {
    List<Map<?, ?>> resources;
    try (Reader reader = Files.newBufferedReader(EXAMPLES.resolve("strimzi.yaml"))) {
      resources =
          StreamSupport.stream(new Yaml().loadAll(reader).spliterator(), false)
              .<Map<?, ?>>map(resource -> (Map<?, ?>) resource)
              .toList();
    }
    Map<?, ?> connector = specOf(resources, "KafkaConnector");
    var config = strings(connector.get("config"));
    assertThat(config).as("fields of spec").doesNotContainKeys("connector.class", "tasks.max");
    config.put("name", "rondo-postgres-sink");
    config.put("connector.class", connector.get("class").toString());
    config.put("tasks.max", connector.get("tasksMax").toString());
    shouldBeValid(config);

    Map<String, String> worker = strings(specOf(resources, "KafkaConnect").get("config"));
    for (String secret : List.of("connection.user", "connection.password")) {
      var provider = PROVIDER.matcher(config.get(secret));
      assertThat(provider.find()).as(config.get(secret)).isTrue();
      assertThat(worker.get("config.providers")).contains(provider.group(1));
      assertThat(worker).containsKey("config.providers.%s.class".formatted(provider.group(1)));
    }
  }

  private static void shouldBeValid(Map<String, String> config) {
    assertThat(PostgresSinkConfig.validate(config))
        .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
    assertThat(ConnectKeys.warnings(config)).isEmpty();
    assertThat(config).containsEntry("connector.class", PostgresSinkConnector.class.getName());
  }

  private static Map<?, ?> specOf(List<Map<?, ?>> resources, String kind) {
    return resources.stream()
        .filter(resource -> kind.equals(resource.get("kind")))
        .map(resource -> (Map<?, ?>) resource.get("spec"))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, String> strings(Object map) {
    var strings = new HashMap<String, String>();
    ((Map<?, ?>) map).forEach((key, value) -> strings.put(key.toString(), value.toString()));
    return strings;
  }
}
