package dev.rondo.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamingTest {
  private static Labels host() {
    return new Labels().put("host", "web01.ams").put("cpu", "cpu0").put("dc", "ams");
  }

  private static NameRules template(String text) {
    return new NameRules(Optional.of(Template.parse(text, "template")), "", List.of(), Map.of());
  }

  private static String ident(NameRules rules, String measurement, String field, Labels labels)
      throws DroppedException {
    return new Naming(200, 5, rules).ident(measurement, field, labels);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, usage_idle, cpu.usage_idle;cpu=cpu0;dc=ams;host=web01.ams",
    "cpu, value, cpu;cpu=cpu0;dc=ams;host=web01.ams",
    "cpu, '', cpu;cpu=cpu0;dc=ams;host=web01.ams",
    "'.a b..c;', x.y, a_b.c_.x.y;cpu=cpu0;dc=ams;host=web01.ams",
  })
  void shouldUseLabelsAsTagsWithoutATemplate(String measurement, String field, String ident)
      throws DroppedException {
    assertThat(ident(NameRules.NONE, measurement, field, host())).isEqualTo(ident);
  }

  @ParameterizedTest
  @CsvSource({
    "host.measurement.field.tags, usage_idle, web01_ams.cpu.usage_idle.cpu0.ams",
    "host.tags.measurement.field, value, web01_ams.cpu0.ams.cpu",
    "dc.host.measurement.field, usage_idle, ams.web01_ams.cpu.usage_idle;cpu=cpu0",
    "rack.measurement.field, usage_idle, cpu.usage_idle;cpu=cpu0;dc=ams;host=web01.ams",
    "host.measurement, usage_idle, web01_ams.cpu;cpu=cpu0;dc=ams;field=usage_idle",
    "host.field, value, web01_ams;cpu=cpu0;dc=ams;measurement=cpu",
  })
  void shouldRemoveTheLabelsThatTheTemplateNames(String template, String field, String ident)
      throws DroppedException {
    assertThat(ident(template(template), "cpu", field, host())).isEqualTo(ident);
  }

  @Test
  void shouldKeepALabelNamedLikeAReservedWord() throws DroppedException {
    Labels labels = new Labels().put("field", "wheat").put("tags", "x").put("measurement", "y");
    assertThat(ident(template("measurement"), "yield", "kg", labels))
        .isEqualTo("yield;_field=kg;field=wheat;measurement=y;tags=x");
    assertThat(ident(template("measurement.field.tags"), "yield", "kg", labels))
        .isEqualTo("yield.kg.wheat.y.x");
  }

  @Test
  void shouldDropAndRenameLabelsByTheirWholeKey() throws DroppedException {
    var rules =
        new NameRules(
            Optional.empty(),
            "own.telegraf",
            List.of(Pattern.compile("pod_.*"), Pattern.compile("uid")),
            Map.of("host_name", "host", "pod_ip", "ip"));
    Labels labels =
        new Labels()
            .put("pod_ip", "1")
            .put("pod_id", "2")
            .put("my_pod_id", "3")
            .put("uid", "4")
            .put("uids", "5")
            .put("host_name", "web01")
            .put("host", "other");
    assertThat(ident(rules, "up", "", labels))
        .isEqualTo("own.telegraf.up;host=web01;my_pod_id=3;uids=5");
    assertThat(labels.size()).isEqualTo(7);
  }

  @Test
  void shouldUseThePartsOfAPathOnlyWithATemplate() throws DroppedException {
    Labels parts = new Labels().put("host", "web01").put("plugin", "cpu").put("type", "idle");
    assertThat(new Naming(200, 5).path("web01.cpu.idle", parts)).isEqualTo("web01.cpu.idle");
    assertThat(new Naming(200, 5, template("plugin.type")).path("web01.cpu.idle", parts))
        .isEqualTo("cpu.idle;host=web01");
    assertThat(new Naming(200, 5, template("host.measurement")).path("a.b", parts))
        .isEqualTo("web01.a.b;plugin=cpu;type=idle");
  }

  @Test
  void shouldReportAnInvalidName() {
    assertThatThrownBy(() -> ident(NameRules.NONE, "..", "", new Labels()))
        .hasMessage("no name in '..'");
    assertThatThrownBy(() -> ident(template("rack.row"), "cpu", "", host()))
        .hasMessage("'cpu' has none of the parts that the template names (template)");
    assertThatThrownBy(() -> ident(NameRules.NONE, "x".repeat(201), "", new Labels()))
        .hasMessageStartingWith("name of 201 bytes, more than 200 (ident.max.bytes)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          host..field     | template 'host..field': '' is not measurement, field, tags or the key of a label; words are separated by dots (sources[0].template)
          host.a b        | template 'host.a b': 'a b' is not measurement, field, tags or the key of a label; words are separated by dots (sources[0].template)
          host.field.host | template 'host.field.host': 'host' occurs twice (sources[0].template)
          """)
  void shouldRejectATemplateThatNoSeriesCanFill(String template, String message) {
    assertThatThrownBy(() -> Template.parse(template, "sources[0].template"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
