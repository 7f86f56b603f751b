package dev.rondo.connect.postgres.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.utils.internals.Sanitizer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyValueTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a-b_c.d", "a b\t%", "a:b", "a,b=c", "ä*", "a\"b\\?", "a\nb"})
  void shouldQuoteAsKafkaDoes(String value) {
    assertThat(KeyValue.of(value)).isEqualTo(Sanitizer.jmxSanitize(value));
    assertThat(KeyValue.unquoted(KeyValue.of(value))).isEqualTo(value);
  }
}
