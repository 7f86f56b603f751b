package dev.rondo.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.schemas.Ident;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any name of a sender becomes a canonical ident within the limits, or a drop. */
class NamingPropertyTest {
  private static final int MAX_BYTES = 120;
  private static final int MAX_TAGS = 4;

  @Property(tries = 2000)
  void shouldBuildCanonicalIdents(
      @ForAll("text") String measurement,
      @ForAll("text") String field,
      @ForAll("labels") Map<String, String> labels,
      @ForAll("rules") NameRules rules) {
    try {
      checkIdent(new Naming(MAX_BYTES, MAX_TAGS, rules).ident(measurement, field, of(labels)));
      checkIdent(new Naming(MAX_BYTES, MAX_TAGS, rules).path(measurement, of(labels)));
    } catch (DroppedException e) {
      assertThat(e.reason().isDeadLetter()).isTrue();
    }
  }

  private static void checkIdent(String ident) {
    Ident parsed = Ident.parse(ident);
    StringBuilder again = new StringBuilder(parsed.name());
    parsed.tags().forEach((key, value) -> again.append(';').append(key).append('=').append(value));
    assertThat(again.toString()).isEqualTo(ident);
    assertThat(new String(ident.getBytes(UTF_8), UTF_8)).isEqualTo(ident);
    assertThat(ident.getBytes(UTF_8).length).isLessThanOrEqualTo(MAX_BYTES);
    assertThat(parsed.tags()).hasSizeLessThanOrEqualTo(MAX_TAGS).doesNotContainKey("name");
    assertThat(parsed.tags().keySet())
        .noneMatch(key -> key.isEmpty() || key.matches(".*[;!^= ].*"));
    assertThat(parsed.tags().values()).noneMatch(value -> value.isEmpty() || value.startsWith("~"));
    assertThat(parsed.name()).doesNotContain(" ", "..").isNotEmpty();
    assertThat(parsed.name()).doesNotStartWith(".").doesNotEndWith(".");
  }

  /** Two series stay distinct unless labels are dropped or a template omits keys. */
  @Property(tries = 500)
  void shouldKeepSeriesApart(
      @ForAll("key") String one, @ForAll("key") String other, @ForAll("template") String template)
      throws DroppedException {
    var rules = new NameRules(Optional.of(Template.parse(template, "")), "", List.of(), Map.of());
    var naming = new Naming(MAX_BYTES, 9, rules);
    String first = naming.ident("m", "f", new Labels().put(one, "1"));
    String second = naming.ident("m", "f", new Labels().put(other, "1"));
    assertThat(first.equals(second))
        .isEqualTo(one.equals(other) || areBothNodes(one, other, template));
  }

  /** Of {@code a.b} a series with a alone and one with b alone have the same path. */
  private static boolean areBothNodes(String one, String other, String template) {
    List<String> labels = List.of("a", "b");
    return labels.contains(one)
        && labels.contains(other)
        && template.contains(one + ".")
        && template.contains(other + ".");
  }

  private static Labels of(Map<String, String> map) {
    Labels labels = new Labels();
    map.forEach(labels::put);
    return labels;
  }

  @Provide
  Arbitrary<String> text() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(12),
        Arbitraries.strings().withChars(".;=~!^ \t\ud800\udc00é_a").ofMaxLength(8),
        Arbitraries.of("", "a", "value", "name", "cpu.user", "\ud83d\ude00", "\ud83d", "\ude00"));
  }

  @Provide
  Arbitrary<String> key() {
    return Arbitraries.of("a", "b", "measurement", "field", "tags", "x");
  }

  @Provide
  Arbitrary<Map<String, String>> labels() {
    return Arbitraries.maps(Arbitraries.oneOf(text(), key()), text()).ofMaxSize(7);
  }

  @Provide
  Arbitrary<String> template() {
    return Arbitraries.of(
        "measurement.field", "a.measurement", "b.a.field", "b.a.measurement", "measurement");
  }

  @Provide
  Arbitrary<NameRules> rules() {
    Arbitrary<Optional<Template>> template =
        Arbitraries.of("a.measurement.field.tags", "tags", "b.a", "measurement", "field.x")
            .map(text -> Optional.of(Template.parse(text, "")))
            .injectNull(0.3)
            .map(given -> given == null ? Optional.empty() : given);
    Arbitrary<String> prefix = Arbitraries.of("", "p", ".p..q ");
    Arbitrary<List<Pattern>> dropped = Arbitraries.of(List.of(), List.of(Pattern.compile("a|_.*")));
    Arbitrary<Map<String, String>> renamed =
        Arbitraries.of(Map.of(), Map.of("b", "a"), Map.of("a", "b", "b", "a", "x", "a"));
    return Combinators.combine(template, prefix, dropped, renamed).as(NameRules::new);
  }
}
