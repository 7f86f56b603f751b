package dev.rondo.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartAddressTest {
  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8889/metrics, web01-8889",
    "http://localhost:8889/metrics, web01-8889",
    "http://[::1]:8889/metrics, web01-8889",
    "http://rondo2.example.org:8889/metrics, rondo2_example_org-8889",
    "http://10.0.0.7:8889/metrics, 10_0_0_7-8889",
  })
  void shouldDistinguishInstancesByHostAndPort(String url, String instance) {
    PartAddress address = new PartAddress.Converter().convert("topology=" + url);

    assertThat(address.part()).isEqualTo("topology");
    assertThat(address.instance("web01")).isEqualTo(instance);
  }
}
