package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientSettingsTest {
  private static Map<String, Object> with(String key, Object value) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("rondo.client.tags", "host=web01");
    settings.put(key, value);
    return settings;
  }

  @Test
  void shouldPassOtherSettingsToTheProducer() {
    var settings = new ClientSettings(with("compression.type", "zstd"));
    assertThat(settings.producer())
        .containsEntry("compression.type", "zstd")
        .containsEntry("max.block.ms", 2500L)
        .doesNotContainKey("rondo.client.tags");
    assertThat(settings.names().key()).isEqualTo(";host=web01");
    assertThat(settings.topic()).isEqualTo("points");
  }

  @ParameterizedTest
  @CsvSource({
    "rondo.client.tag, host=web01, did you mean 'rondo.client.tags'?",
    "rondo.client.tags, '', set rondo.client.prefix or rondo.client.tags",
    "rondo.client.tags, web01, rondo.client.tags: 'web01' is not a tag k=v",
    "rondo.client.prefix, shop., name 'shop.' has an empty node",
    "rondo.client.step.ms, 10, Value must be at least 1000",
    "rondo.client.max.metrics, many, rondo.client.max.metrics",
  })
  void shouldNameTheInvalidSetting(String key, String value, String message) {
    assertThatThrownBy(() -> new ClientSettings(with(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
