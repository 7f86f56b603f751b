package dev.rondo.topology.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Labels;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.catalog.DecoderSettings;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.schemaregistry.RegistryServer;
import dev.rondo.formats.schemaregistry.SchemaId;
import dev.rondo.schemas.Topics;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesFileTest {
  private static final SourcesFile READER =
      new SourcesFile(
          new SourceDefaults(
              InternalTopics.DEFAULT,
              200,
              9,
              RecordLimits.DEFAULT,
              PoliciesFile.parse(
                  """
                  policies:
                    - {name: servers, match: x, step: 10s, archives: ["10s:1h"]}
                    - {name: rest, match: x, step: 10s, archives: ["10s:1h"]}
                  """)));

  @TempDir Path dir;

  private static SourceRules parse(String yaml) {
    return READER.parse(yaml);
  }

  @Test
  void shouldReadEveryKey() throws Exception {
    Source source =
        parse(
                """
                sources:
                  - topic: telegraf
                    format: auto
                    time.unit: us
                    keyed: true
                    policy: servers
                    template: host.measurement.field.tags
                    prefix: own
                    labels:
                      drop: ['pod_.*', instance]
                      rename: {host_name: host}
                """)
            .of("telegraf")
            .orElseThrow();
    assertThat(source.topic()).isEqualTo("telegraf");
    assertThat(source.format()).isEqualTo(Format.AUTO);
    assertThat(source.settings().timeUnit()).contains(TimeUnit.MICROSECONDS);
    assertThat(source.isKeyed()).isTrue();
    assertThat(source.policy()).isEqualTo("servers");
    Labels labels =
        new Labels()
            .put("host_name", "web01")
            .put("pod_ip", "10.0.0.1")
            .put("instance", "x")
            .put("dc", "ams");
    assertThat(source.settings().naming().ident("cpu", "idle", labels))
        .isEqualTo("own.web01.cpu.idle.ams");
  }

  @Test
  void shouldDetectAnyFormatWithDefaultNames() {
    Source source = parse("sources: [{topic: metrics}]").of("metrics").orElseThrow();
    assertThat(source)
        .isEqualTo(
            new Source(
                "metrics",
                Format.AUTO,
                new DecoderSettings(200, 9, Optional.empty(), Optional.empty()),
                false,
                ""));
  }

  @Test
  void shouldReadAListOfTopics() {
    List<Source> sources = READER.of(List.of("points", "carbon=graphite")).among(Set.of());
    assertThat(sources).extracting(Source::topic).containsExactly("points", "carbon");
    assertThat(sources).extracting(Source::format).containsExactly(Format.AUTO, Format.GRAPHITE);
  }

  @Test
  void shouldReadMappingsRegistriesAndSchemaFiles() throws Exception {
    Path schema =
        Files.writeString(
            dir.resolve("r.proto"),
            "syntax = \"proto3\"; message A {} message R { double load = 1; string host = 2; }");
    Path secret = Files.writeString(dir.resolve("secret"), "geheim\n");
    String sources =
        """
        registries:
          main: {url: 'https://registry:8081/', username: rondo, password.file: %s, timeout: 500ms}
        sources:
          - {topic: a, format: avro, registry: main, mapping: {name: 'x.{m}', values: {load: v}}}
          - {topic: b, format: protobuf, registry: 'http://localhost:1', mapping: {values: v}}
          - {topic: c, format: protobuf, schema: %s, message: R, mapping: {tags: [host], values: [load]}}
          - {topic: d, format: json, mapping: {time: t, tags: {h: host}, values: [v]}}
        """
            .formatted(secret, schema);
    SourceRules rules = parse(sources);
    assertThat(rules.named(false)).containsExactly("a", "b", "c", "d");
    assertThat(rules.of("c").orElseThrow().settings().mapped().orElseThrow().schemas()).isPresent();
    assertThatThrownBy(() -> parse(sources.replace("[host]", "[rack]")))
        .hasMessageContaining("has no field 'rack' in R, needed by 'rack' (mapping.tags)")
        .hasMessageEndingWith("(sources[2].schema)");
    assertThatThrownBy(() -> parse(sources.replace("message: R", "message: S")))
        .hasMessageContaining("has no message 'S', only [A, R] (message)");
    assertThatThrownBy(() -> parse(sources.replace("timeout: 500ms", "certificate: a.pem")))
        .hasMessage(
            "certificate and key belong together, only one is set (registries.main.certificate)");
    assertThatThrownBy(() -> parse(sources.replace("timeout: 500ms", "ca: nowhere.pem")))
        .hasMessage("cannot read file nowhere.pem (registries.main.ca)");
    assertThatThrownBy(() -> parse(sources.replace("timeout: 500ms", "timeout: 11s")))
        .hasMessage("timeout 11s is more than 10 s (registries.main.timeout)");
    assertThatThrownBy(() -> parse(sources.replace("username: rondo, ", "")))
        .hasMessageContaining("needs username and password.file")
        .hasMessageEndingWith("(registries.main.username)");
  }

  @Test
  void shouldAuthenticateAtARegistry() throws Exception {
    Path secret = Files.writeString(dir.resolve("secret"), "geheim\n");
    try (var server = RegistryServer.start(0).put("/schemas/ids/5", "AVRO", "\"int\"")) {
      for (String how : List.of("username: rondo, password.file", "token.file")) {
        String sources =
            """
            registries: {main: {url: '%s', %s: %s}}
            sources: [{topic: a, format: avro, registry: main, mapping: {values: v}}]
            """
                .formatted(server.url(), how, secret);
        Source source = parse(sources).of("a").orElseThrow();
        source.settings().mapped().orElseThrow().schemas().orElseThrow().get(SchemaId.of(5));
      }
      String user = Base64.getEncoder().encodeToString("rondo:geheim".getBytes(UTF_8));
      await() // a lookup goes on when its caller no longer waits
          .untilAsserted(
              () ->
                  assertThat(server.requests)
                      .containsExactlyInAnyOrder(
                          "/schemas/ids/5 Basic " + user, "/schemas/ids/5 Bearer geheim"));
    }
  }

  @Test
  void shouldReadTheLocalImportsOfASchemaFile() throws Exception {
    Files.createDirectory(dir.resolve("common"));
    Files.writeString(
        dir.resolve("common/kind.proto"), "syntax = \"proto3\"; enum Kind { CPU = 0; }");
    Path host = dir.resolve("common/host.proto");
    Files.writeString(
        host,
        "syntax = \"proto3\"; import \"common/kind.proto\"; message Host { string name = 1; Kind"
            + " kind = 2; }");
    Path schema =
        Files.writeString(
            dir.resolve("r.proto"),
            "syntax = \"proto3\"; import 'common/host.proto'; message R { Host host = 1; double v ="
                + " 2; }");
    String sources =
        "sources: [{topic: a, format: protobuf, schema: %s, mapping: {name: '{host.kind}', values: v}}]"
            .formatted(schema);
    List<String> found = new ArrayList<>();
    byte[] record = {17, 0, 0, 0, 0, 0, 0, -16, 63}; // v = 1.0
    parse(sources)
        .of("a")
        .orElseThrow()
        .decoder()
        .decode(
            record,
            1000,
            new PointSink() {
              @Override
              public void point(String ident, long tMs, double value, int from, int to) {
                found.add(ident + " " + value);
              }

              @Override
              public void drop(DropReason reason, String detail, int from, int to) {
                found.add(detail);
              }
            });
    assertThat(found).hasSize(1);
    Files.delete(host);
    assertThatThrownBy(() -> parse(sources))
        .hasMessage("cannot read file '%s' (sources[0].schema)".formatted(host));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {topic: a, fromat: x}           | unknown key 'fromat': did you mean 'format'? (sources[0].fromat)
          {}                              | a source needs either topic or pattern, this one has neither (sources[0])
          {topic: a, pattern: b}          | a source needs either topic or pattern, this one has both (sources[0])
          {topic: 'a.*'}                  | topic 'a.*' is not 1 to 249 letters, digits, '.', '_' or '-'; for several topics use pattern (sources[0].topic)
          {topic: rondo.bundle-rows}      | topic 'rondo.bundle-rows' belongs to Rondo or Kafka and cannot be a source (sources[0])
          {pattern: 'a('}                 | 'a(' is not a regular expression: Unclosed group (sources[0].pattern)
          {topic: a, format: avro}        | format 'avro' needs either a registry or a schema file, this source has neither (sources[0])
          {topic: a, format: avro, registry: 'http://x'}                                 | 'mapping' is missing (sources[0].mapping)
          {topic: a, format: avro, registry: mian, mapping: {values: v}}                 | 'mian' is not a URL like http://host:8081, nor one of the registries
          {topic: a, format: json, mapping: {values: 'a['}}                              | 'a[' is not a path:
          {topic: a, format: json, mapping: {value: a}}                                  | unknown key 'value': did you mean 'values'? (sources[0].mapping.value)
          {topic: a, format: json, schema: r.avsc}                                       | format 'json' takes no schema: set format to avro or protobuf (sources[0].schema)
          {topic: a, format: avro, registry: 'http://a', framed: true}                   | framed belongs to a schema file: records of a registry name what they are (sources[0].framed)
          {topic: a, format: influx, mapping: {values: a}}                               | format 'influx' takes no mapping: set format to avro, protobuf or json (sources[0].mapping)
          {topic: a, format: graphit}     | format 'graphit' is not one of
          {topic: a, format: graphit}     | did you mean 'graphite'? (sources[0].format)
          {topic: a, dialect: x}          | format 'auto' has no dialects (sources[0].dialect)
          {topic: a, time.unit: min}      | time.unit 'min' is not one of s, ms, us, ns (sources[0].time.unit)
          {topic: a, format: otlp, time.unit: s} | format 'otlp' has a fixed time unit (sources[0].time.unit)
          {topic: a, keyed: maybe}        | 'maybe' is neither true nor false (sources[0].keyed)
          {topic: a, policy: server}      | policy 'server' is not one of servers, rest: did you mean 'servers'? (sources[0].policy)
          {topic: a, template: a..b}      | words are separated by dots (sources[0].template)
          {topic: a, format: events, prefix: b}   | format 'events' takes no prefix: events have no series; use tags to distinguish them (sources[0].prefix)
          {topic: a, format: events, tags: ['a b']} | tag 'a b' is not 1 to 100 characters without commas and white space (sources[0].tags)
          {topic: a, format: events, tags: ['a,b']} | tag 'a,b' is not 1 to 100 characters without commas and white space (sources[0].tags)
          {topic: a, format: events, tags: a}     | 'a' is not a list (sources[0].tags)
          {topic: a, format: events, tags: [[a]]} | '[a]' is not a text (sources[0].tags[0])
          {topic: a, format: json, tags: [a]}     | format 'json' takes no tags: they are those of events (sources[0].tags)
          {topic: a, labels: {keep: []}}  | unknown key 'keep': did you mean
          {topic: a, labels: {drop: [x, '[']}} | '[' is not a regular expression: Unclosed character class (sources[0].labels.drop[1])
          {topic: a, labels: {rename: {a: name}}} | 'name' cannot be the key of a tag
          {topic: a, labels: {rename: {a: b c}}}  | (sources[0].labels.rename.a)
          {topic: a}, {topic: a}          | topic 'a' is already covered by sources[0], and the first rule that covers a topic applies (sources[1])
          {pattern: 'a+'}, {topic: aa}    | topic 'aa' is already covered by sources[0], and the first rule that covers a topic applies (sources[1])
          7                               | '7' is not a mapping of keys to values (sources[0])
          """)
  void shouldNameThingValueBoundAndKey(String items, String message) {
    assertThatThrownBy(() -> parse("sources: [" + items + "]"))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldRefuseAFileWithoutSources() {
    assertThatThrownBy(() -> parse("sources: []"))
        .hasMessage("no source is configured, so nothing would be read (sources)");
    assertThatThrownBy(() -> READER.of(List.of("a=influxx")))
        .hasMessageContaining("format 'influxx' is not one of")
        .hasMessageEndingWith("(sources.format)");
  }

  @Test
  void shouldNameTheFile() throws IOException {
    Path file = Files.writeString(dir.resolve("sources.yaml"), "sources: {}");
    assertThatThrownBy(() -> READER.read(file)).hasMessage(file + ": '{}' is not a list (sources)");
    Path none = dir.resolve("none.yaml");
    assertThatThrownBy(() -> READER.read(none))
        .hasMessageStartingWith(none + ": cannot be read")
        .hasMessageEndingWith("(sources.file)");
  }

  private static final String PATTERNS =
      """
      sources:
        - {topic: metrics.special, format: graphite, policy: rest}
        - {pattern: 'metrics\\..*', policy: servers}
        - {pattern: '.*', format: graphite}
      """;

  @Test
  void shouldGiveATopicToTheFirstThatCoversItsWholeName() {
    Set<String> existing =
        Set.of(
            "metrics.a",
            "metrics.special",
            "my.metrics.a",
            "rondo.series",
            "rondo-by-series-repartition",
            "rondo-segments-changelog",
            "rondo-connect-offsets",
            "rondo-of-another",
            "__consumer_offsets");
    assertThat(parse(PATTERNS).among(existing))
        .extracting(source -> source.topic() + " " + source.policy())
        .containsExactly(
            "metrics.special rest", "metrics.a servers", "my.metrics.a ", "rondo-of-another ");
    assertThat(parse(PATTERNS).of("rondo.series")).isEmpty();
    assertThat(parse(PATTERNS).of("metrics.later")).isPresent();
  }

  @Test
  void shouldJoinPatternsThatMatchWhatTheFirstRuleCovers() {
    SourceRules rules =
        parse(
            """
            sources:
              - {topic: metrics.a.b}
              - {pattern: 'metrics\\.(a|b)\\..*', keyed: true}
              - {pattern: '^metrics\\..*$'}
              - {pattern: 'm.*', keyed: true}
            """);
    for (String topic :
        List.of(
            "metrics.a.b",
            "metrics.axb",
            "metrics.b.c",
            "metrics.c",
            "mine",
            "metrics",
            "other",
            "rondo.series",
            "rondo-by-series-repartition",
            "__consumer_offsets")) {
      Optional<Boolean> keyed = rules.of(topic).map(Source::isKeyed);
      assertThat(rules.pattern(true).matcher(topic).matches())
          .as(topic)
          .isEqualTo(keyed.equals(Optional.of(true)));
      assertThat(rules.pattern(false).matcher(topic).matches())
          .as(topic)
          .isEqualTo(keyed.equals(Optional.of(false)));
    }
  }

  @Test
  void shouldRefuseAPatternThatCannotBeJoinedWithOthers() {
    assertThatThrownBy(() -> parse("sources: [{pattern: '(a|b)\\1'}]"))
        .isInstanceOf(SettingException.class)
        .hasMessage("pattern '(a|b)\\1' has a named group or a back reference (sources[0])");
  }

  @Test
  void shouldNameAPatternThatMatchesNoTopicYet() {
    SourceRules rules = parse(PATTERNS);
    Set<String> existing = Set.of("metrics.special", "rondo.series");
    assertThat(rules.hasPatterns()).isTrue();
    assertThat(rules.among(existing)).extracting(Source::topic).containsExactly("metrics.special");
    assertThat(rules.unmatched(existing)).containsExactly("metrics\\..*", ".*");
    assertThat(rules.missing(existing)).isEmpty();
  }

  @Test
  void shouldRefuseAPatternThatMatchesAnotherRondo() {
    Set<String> existing =
        new HashSet<>(Set.of("other", "metrics.special", "metrics.series", "rondo.series"));
    assertThat(parse(PATTERNS).among(existing)).isNotEmpty();
    Topics.OWN.forEach(own -> existing.add(own.name().replace("rondo", "metrics.staging")));
    assertThatThrownBy(() -> parse(PATTERNS).among(existing))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("pattern 'metrics\\..*' matches 'metrics.staging.")
        .hasMessageEndingWith(
            "' of the Rondo with the prefix 'metrics.staging': exclude its topics (sources[1])");
  }

  @Test
  void shouldReadASingleSource() {
    assertThatThrownBy(() -> READER.one(Map.of("topic", "t", "format", "grafite")))
        .hasMessageEndingWith("did you mean 'graphite'? (format)");
  }
}
