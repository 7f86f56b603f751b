package dev.rondo.history.whisper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths as carbon's TaggedSeries.encode makes them. */
class GraphitePathTest {
  /** SHA-256 of disk.used;host=a. */
  private static final String DISK =
      "c7c4825717068110138e236019383c9d93c5a478afbf31007813623875685146";

  private final PointNames names = new PointNames(1000, 10, "");

  @ParameterizedTest
  @CsvSource({
    "a/b/c.wsp, a.b.c",
    "c.wsp, c",
    "carbon/agents/host-a/cpuUsage.wsp, carbon.agents.host-a.cpuUsage",
    "_tagged/0b9/43d/disk_DOT_used;dc=ams;host=a_DOT_b.wsp, disk.used;dc=ams;host=a.b",
    "_tagged/0b9/43d/disk;path=/mnt/big.wsp, disk;path=/mnt/big",
    "_tagged/0b9/43d/disk;path=/.wsp, disk;path=/",
    "_tagged/x.wsp, _tagged.x",
    "a/b;c=d.wsp, a.b;c=d"
  })
  void shouldNameSeriesAsTheirPointsAre(String file, String ident) throws Exception {
    assertThat(names.ident(new GraphitePath(List.of()).of(file))).isEqualTo(ident);
  }

  @Test
  void shouldFindHashedNames() throws Exception {
    var known = new GraphitePath(List.of("disk.used;host=a"));
    assertThat(known.of("_tagged/c7c/482/" + DISK + ".wsp")).isEqualTo("disk.used;host=a");
    assertThatThrownBy(
            () ->
                new GraphitePath(List.of("disk.used;host=b"))
                    .of("_tagged/c7c/482/" + DISK + ".wsp"))
        .hasMessage("its name is only a hash, of none of the names given (--names)");
  }

  @Test
  void shouldApplyThePrefixAndRefuseWhatNoPointCanHave() throws Exception {
    assertThat(new PointNames(1000, 10, "old").ident("a.b")).isEqualTo("old.a.b");
    assertThatThrownBy(() -> names.ident("a b"))
        .hasMessageStartingWith("no point can have its name: ");
    assertThatThrownBy(() -> new PointNames(20, 10, "").ident("a".repeat(30)))
        .hasMessageContaining("(ident.max.bytes)");
  }
}
