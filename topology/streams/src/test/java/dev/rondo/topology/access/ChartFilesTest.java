package dev.rondo.topology.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.topology.config.TopologyConfig;
import dev.rondo.topology.consolidate.Consolidate;
import dev.rondo.topology.topics.RequiredTopic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Helm chart has rights and topics from files, which are generated from the code. */
class ChartFilesTest {
  private static final Path FILES = Path.of("../../deploy/helm/rondo/files");
  private static final String COMMAND =
      "./mvnw -q test -pl topology/streams -am -Dtest=ChartFilesTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dpage.write=true";
  private static final List<Part> PARTS =
      List.of(Part.TOPOLOGY, Part.CONNECT, Part.API, Part.TOOLS);

  @TempDir Path dir;

  /** A keyed and another source, both of a format with ids, and events: all rights. */
  private TopologyConfig config(boolean createsTopics) throws IOException {
    Path sources =
        Files.writeString(
            dir.resolve("sources.yaml"),
            """
            sources:
              - {topic: SOURCE, format: metrictank}
              - {topic: KEYED, format: metrictank, keyed: true}
              - {topic: EVENTS, format: events}
            """);
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", "unused:9092");
    properties.setProperty("state.dir", "unused");
    properties.setProperty("rondo.prefix", "PREFIX");
    properties.setProperty("application.id", "APPLICATION");
    properties.setProperty("sources.file", sources.toString());
    properties.setProperty("topics.create", Boolean.toString(createsTopics));
    return TopologyConfig.of(properties);
  }

  @Test
  void shouldHaveTheRightsOfEachPart() throws IOException {
    List<String> lines = new ArrayList<>(List.of(head(), "create:"));
    lines.addAll(rights(config(true)));
    lines.add("check:");
    lines.addAll(rights(config(false)));
    assertCurrent("rights.yaml", lines);
  }

  private static List<String> rights(TopologyConfig config) {
    List<String> lines = new ArrayList<>();
    for (Part part : PARTS) {
      lines.add("  " + part.name().toLowerCase(Locale.ROOT) + ":");
      KafkaAcls.operations(Rights.of(config, part))
          .forEach(
              (resource, operations) -> {
                if (!List.of("KEYED", "EVENTS").contains(resource.name())) {
                  lines.add(
                      "    - {type: %s, name: %s, patternType: %s, operations: [%s]}"
                          .formatted(
                              type(resource),
                              resource.name(),
                              resource.patternType() == PatternType.PREFIXED ? "prefix" : "literal",
                              String.join(", ", operations)));
                }
              });
    }
    return lines;
  }

  private static String type(ResourcePattern resource) {
    return resource.resourceType() == ResourceType.TRANSACTIONAL_ID
        ? "transactionalId"
        : resource.resourceType().name().toLowerCase(Locale.ROOT);
  }

  @Test
  void shouldHaveEachTopic() throws IOException {
    TopologyConfig config = config(false);
    List<RequiredTopic> topics = new ArrayList<>(RequiredTopic.own(config));
    topics.addAll(RequiredTopic.internal(config, config.sourceRules(), 1));
    List<String> lines = new ArrayList<>(List.of(head(), "topics:"));
    for (RequiredTopic topic : topics) {
      lines.add("  - name: " + topic.name());
      if (topic.name().contains("definitions")) {
        lines.add("    definitions: " + (topic.name().contains("keyed") ? "keyed" : "all"));
      } else if (topic.partitions() == 1) {
        lines.add("    one: true");
      }
      lines.add("    config:");
      for (Map.Entry<String, String> each : new TreeMap<>(topic.configs()).entrySet()) {
        lines.add("      %s: \"%s\"".formatted(each.getKey(), each.getValue()));
      }
    }
    assertThat(lines)
        .contains("  - name: APPLICATION-" + Consolidate.SEGMENTS_STORE + "-changelog");
    assertCurrent("topics.yaml", lines);
  }

  private static String head() {
    return "# Generated from the code, by " + COMMAND;
  }

  private static void assertCurrent(String name, List<String> lines) throws IOException {
    String text = String.join("\n", lines) + "\n";
    if (Boolean.getBoolean("page.write")) {
      Files.writeString(FILES.resolve(name), text);
    }
    assertThat(FILES.resolve(name)).as("after a change of rights: %s", COMMAND).hasContent(text);
  }
}
