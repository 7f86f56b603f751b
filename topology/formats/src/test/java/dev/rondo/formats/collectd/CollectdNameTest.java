package dev.rondo.formats.collectd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectdNameTest {
  @Test
  void shouldJoinTheNonEmptyParts() {
    assertThat(CollectdName.path("web01", "cpu", "0", "cpu", "idle", ""))
        .isEqualTo("web01.cpu-0.cpu-idle");
    assertThat(CollectdName.path("web01", "load", "", "load", "", "shortterm"))
        .isEqualTo("web01.load.load.shortterm");
  }

  @Test
  void shouldReplaceDotsWithinNodes() {
    assertThat(CollectdName.path("a.example.org", "df", "mnt.big disk", "df", "x\ty\u007f", "v.1"))
        .isEqualTo("a_example_org.df-mnt_big_disk.df-x_y_.v_1");
  }

  @Test
  void shouldReplaceTheSameCharactersAsCollectd() {
    assertThat(CollectdName.path("h", "odd plugin", "a.b", "gauge", "x:y,z(1)/\"!\\", ""))
        .isEqualTo("h.odd_plugin-a_b.gauge-x_y_z_1_____");
  }
}
