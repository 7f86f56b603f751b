package dev.rondo.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphiteLinesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "100, 100",
    "12.5, 12.5",
    "24833499136, 24833499136",
    "1e15, 1000000000000000",
    "33.333333333333336, 33.333333",
    "0.0000004, 0",
    "0.0000006, 0.000001",
    "-0.25, -0.25",
  })
  void shouldWriteValueWithoutExponent(double value, String text) {
    assertThat(GraphiteLines.line("a.b", value, 1700000000))
        .isEqualTo("a.b " + text + " 1700000000\n");
  }

  @ParameterizedTest
  @CsvSource({
    "web01, web01",
    "Web01.Example.org, web01_example_org",
    "a b;c=d, a_b_c_d",
    "C:\\, c__",
    "größe, gr__e",
    "sda-1_x, sda-1_x",
  })
  void shouldMakeNodeSafe(String text, String node) {
    assertThat(GraphiteLines.safeNode(text)).isEqualTo(node);
  }

  @ParameterizedTest
  @CsvSource({"/, root", "/root, _root", "/var, var", "/var/lib/my.app, var_lib_my_app"})
  void shouldNameMount(String mount, String node) {
    assertThat(GraphiteLines.mountNode(mount)).isEqualTo(node);
  }

  @ParameterizedTest
  @CsvSource({"/dev/vda, vda", "/dev/mapper/data-0, mapper_data-0", "disk0, disk0"})
  void shouldNameDevice(String device, String node) {
    assertThat(GraphiteLines.deviceNode(device)).isEqualTo(node);
  }

  @Test
  void shouldPackOneReadingIntoOneRecord() {
    var values = new LinkedHashMap<String, Double>();
    values.put("load.1m", 0.5);
    values.put("memory.used", 1024.0);

    List<byte[]> records = GraphiteLines.pack("hosts.web01", values, 1700000000, 500_000);

    assertThat(records)
        .map(record -> new String(record, UTF_8))
        .containsExactly(
            "hosts.web01.load.1m 0.5 1700000000\nhosts.web01.memory.used 1024 1700000000\n");
  }

  @Test
  void shouldSplitRecordsBetweenLinesAtTheBound() {
    var values = new LinkedHashMap<String, Double>();
    values.put("a", 1.0);
    values.put("b", 2.0);
    values.put("c", 3.0);
    int lineBytes = "h.a 1 7\n".length();

    assertThat(GraphiteLines.pack("h", values, 7, 2 * lineBytes))
        .map(record -> new String(record, UTF_8))
        .containsExactly("h.a 1 7\nh.b 2 7\n", "h.c 3 7\n");
    assertThat(GraphiteLines.pack("h", values, 7, 2 * lineBytes - 1)).hasSize(3);
    assertThat(GraphiteLines.pack("h", values, 7, 1)).hasSize(3);
  }

  @Test
  void shouldSkipNanAndInfinity() {
    assertThat(GraphiteLines.pack("h", Map.of("a", Double.NaN), 7, 100)).isEmpty();
    assertThat(GraphiteLines.pack("h", Map.of("a", Double.POSITIVE_INFINITY), 7, 100)).isEmpty();
  }
}
