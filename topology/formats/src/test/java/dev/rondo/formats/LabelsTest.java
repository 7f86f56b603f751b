package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LabelsTest {
  @Test
  void shouldKeepTheLastOfEqualKeysInTheOrderOfTheKeys() {
    Labels labels = new Labels().put("b", "1").put("a", "2").put("b", "3").put("c", "");
    assertThat(labels.size()).isEqualTo(2);
    assertThat(labels.key(0) + labels.value(0) + labels.key(1) + labels.value(1)).isEqualTo("a2b3");
  }

  @Test
  void shouldBoundTheNumberOfLabels() {
    Labels labels = new Labels();
    for (int n = 0; n < 2 * Labels.MAX_SIZE; n++) {
      labels.put("k" + n, "v");
    }
    assertThat(labels.size()).isEqualTo(Labels.MAX_SIZE);
    assertThat(labels.put("k0", "w").get("k0")).isEqualTo("w");
  }
}
