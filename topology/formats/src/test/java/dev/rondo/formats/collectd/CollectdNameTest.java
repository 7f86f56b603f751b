package dev.rondo.formats.collectd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectdNameTest {
  @Test
  void shouldJoinTheNonEmptyParts() {
    assertThat(new CollectdName("web01", "cpu", "0", "cpu", "idle").path(""))
        .isEqualTo("web01.cpu-0.cpu-idle");
    assertThat(new CollectdName("web01", "load", "", "load", "").path("shortterm"))
        .isEqualTo("web01.load.load.shortterm");
  }

  @Test
  void shouldReplaceDotsWithinNodes() {
    assertThat(
            new CollectdName("a.example.org", "df", "mnt.big disk", "df", "x\ty\u007f").path("v.1"))
        .isEqualTo("a_example_org.df-mnt_big_disk.df-x_y_.v_1");
  }

  @Test
  void shouldReplaceTheSameCharactersAsCollectd() {
    assertThat(new CollectdName("h", "odd plugin", "a.b", "gauge", "x:y,z(1)/\"!\\").path(""))
        .isEqualTo("h.odd_plugin-a_b.gauge-x_y_z_1_____");
  }
}
