package dev.rondo.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyConfigTest {
  private static Properties with(String key, String value) {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "a:1,b:2");
    properties.put("state.dir", "/somewhere");
    properties.put(key, value);
    return properties;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          partition             | 4    | unknown key 'partition': did you mean 'partitions'?
          partitions            | 0    | partitions: Value must be at least 1
          width                 | wide | width: Not a number of type INT
          processing.guarantee  | once | processing.guarantee: String must be one of: exactly_once_v2, at_least_once
          merge.max.wait.ms     | 1    | merge.max.wait.ms: Value must be at least 1000
          commit.interval.ms    | 9500 | commit.interval.ms: Value must be no more than 9000
          """)
  void shouldNameKeyValueAndBound(String key, String value, String message) {
    assertThatThrownBy(() -> TopologyConfig.of(with(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(message.substring(message.indexOf(':') + 2));
  }

  @Test
  void shouldPassStreamsKeysWithoutTheirPrefix() {
    Properties streams = TopologyConfig.of(with("streams.num.standby.replicas", "1")).streams();
    assertThat(streams)
        .containsEntry("num.standby.replicas", "1")
        .containsEntry(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "a:1,b:2")
        .containsEntry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
  }

  @Test
  void shouldRejectSourcesInTwoSettings() {
    Properties properties = with("sources.file", "sources.yaml");
    TopologyConfig.of(properties);
    properties.put("sources", "metrics");
    assertThatThrownBy(() -> TopologyConfig.of(properties))
        .isInstanceOf(ConfigException.class)
        .hasMessage("sources and sources.file are both set: use one of them");
  }

  @Test
  void shouldConnectAllClientsByKafkaConfig(@TempDir Path dir) throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("client.properties"),
            "bootstrap.servers=c:3\nsecurity.protocol=SASL_SSL\nsasl.jaas.config=M required;\n");
    TopologyConfig config = TopologyConfig.of(with("kafka.config", file.toString()));
    Map<Object, Object> streams = config.streams();
    assertThat(List.of(streams, config.admin(), config.reader(), config.writer()))
        .allSatisfy(
            client ->
                assertThat(new HashMap<Object, Object>(client))
                    .containsEntry("bootstrap.servers", "a:1,b:2")
                    .containsEntry("security.protocol", "SASL_SSL")
                    .containsEntry("sasl.jaas.config", new Password("M required;")));
    Properties withoutBrokers = with("kafka.config", file.toString());
    withoutBrokers.remove("bootstrap.servers");
    assertThat(TopologyConfig.of(withoutBrokers).kafka().bootstrap()).isEqualTo("c:3");
    withoutBrokers.remove("kafka.config");
    assertThatThrownBy(() -> TopologyConfig.of(withoutBrokers))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("no Kafka brokers: set bootstrap.servers");
  }
}
