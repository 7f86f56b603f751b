package dev.rondo.formats.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.NameRules;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AutoDecoderPropertyTest {
  private static final DecoderSettings SETTINGS =
      new DecoderSettings(200, 9, Optional.empty(), Optional.empty());

  /** All points and drops, one line each. */
  private static List<String> found(Format format, DecoderSettings settings, byte[] value) {
    List<String> found = new ArrayList<>();
    format
        .decoder(settings)
        .decode(
            value,
            1000,
            new PointSink() {
              @Override
              public void point(String ident, long tMs, double number, int from, int to) {
                found.add(ident + " " + number + " " + tMs + " " + from + ".." + to);
              }

              @Override
              public void drop(DropReason reason, String detail, int from, int to) {
                found.add(reason + " " + detail + " " + from + ".." + to);
              }
            });
    return found;
  }

  @Property(tries = 300)
  void shouldReadGraphiteLinesLikeGraphite(@ForAll("lines") String lines) {
    byte[] value = lines.getBytes(UTF_8);
    assertThat(Format.recognised(value)).isEqualTo(Format.GRAPHITE);
    assertThat(found(Format.AUTO, SETTINGS, value))
        .isNotEmpty()
        .isEqualTo(found(Format.GRAPHITE, SETTINGS, value));
  }

  @Property
  void shouldNeverThrowOnAnyBytes(@ForAll byte[] value) {
    assertThat(found(Format.AUTO, SETTINGS, value))
        .isEqualTo(found(Format.recognised(value), SETTINGS, value));
  }

  @Example
  void shouldApplyTheRulesForNamesToGraphiteLines() {
    var rules =
        new NameRules(
            Optional.of(Template.parse("host.measurement", "template")),
            "dc1",
            List.of(Pattern.compile("pod")),
            Map.of("node", "host"));
    var settings =
        new DecoderSettings(
            60,
            9,
            Optional.empty(),
            Optional.empty(),
            RecordLimits.DEFAULT,
            rules,
            Optional.empty());
    String lines = "disk.used;node=web01;pod=x;dev=sda 1 10\na 1 10\n" + "x".repeat(58) + " 1 10";
    assertThat(found(Format.AUTO, settings, lines.getBytes(UTF_8)))
        .containsExactly(
            "dc1.web01.disk.used;dev=sda 1.0 10000 0..39",
            "dc1.a 1.0 10000 40..46",
            "NAME_TOO_LONG name of 62 bytes, more than 60 (ident.max.bytes): 'dc1."
                + "x".repeat(56)
                + "…' 47..110");
  }

  @Provide
  Arbitrary<String> lines() {
    Arbitrary<String> path =
        Arbitraries.of(
            "cpu.user",
            "a,b=c",
            "disk;host=x;dc=ams",
            "{a}",
            "[b]",
            "PUTVAL",
            "größe",
            "0x82",
            "\"quoted\"",
            "#comment");
    Arbitrary<String> value = Arbitraries.of("1", "-2.5e3", "nan", "x", "0");
    Arbitrary<String> time = Arbitraries.of("10", "1700000000", "N", "-1", "1700000000.5", "y");
    return path.flatMap(p -> value.flatMap(v -> time.map(t -> p + " " + v + " " + t + "\n")))
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .map(all -> String.join("", all));
  }
}
