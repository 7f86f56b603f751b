package dev.rondo.tools.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameMappingTest {
  @ParameterizedTest
  @CsvSource({
    "a.b, c, a.b, c",
    "a.b, c, a.bc,",
    "load;host=a, load;host=b, load;host=a, load;host=b",
    "servers.web1.**, servers.front1.**, servers.web1.cpu.idle, servers.front1.cpu.idle",
    "servers.web1.**, servers.front1.**, servers.web1,",
    "servers.web1.**, servers.front1.**, servers.web10.cpu,",
    "a.*.c, x.*, a.b.c, x.b",
    "**.old, **.new, a.b.old, a.b.new",
    "**.old, **.new, old, new",
    "web*.*.load, front*.x.*.load1, web1.eth0.load, front1.x.eth0.load1",
    "a.*, b$1.*, a.x, b$1.x"
  })
  void shouldCarryWildcardsOver(String from, String to, String old, String expected) {
    assertThat(NameMapping.of(from, to).apply(old).orElse(null)).isEqualTo(expected);
  }
}
