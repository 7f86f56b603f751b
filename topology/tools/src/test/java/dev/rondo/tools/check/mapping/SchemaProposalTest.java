package dev.rondo.tools.check.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.Schemas;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.PoliciesFile;
import dev.rondo.topology.source.InternalTopics;
import dev.rondo.topology.source.SourceDefaults;
import dev.rondo.topology.source.SourcesFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is proposed for schemas of several kinds; the topology loads each proposal. */
class SchemaProposalTest {
  private static final byte[] RECORD = {0, 0, 0, 0, 7, 0};

  private static SchemaProposal proposal(String type, String schema) {
    Schemas schemas = id -> new Schema(id.toString(), type, schema, List.of());
    return SchemaProposal.of(
        "readings",
        List.of(new ConsumerRecord<>("readings", 0, 3, null, RECORD)),
        schemas,
        "http://localhost:1");
  }

  /** The mapping of a record with these fields of Avro, as lines of the sources file. */
  private static String avro(String fields) {
    SchemaProposal proposal =
        proposal(
            "AVRO",
            "{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
    return mapping(proposal);
  }

  private static String mapping(SchemaProposal proposal) {
    String yaml = String.join("\n", proposal.yaml());
    var defaults =
        new SourceDefaults(
            InternalTopics.DEFAULT,
            1024,
            64,
            RecordLimits.DEFAULT,
            PoliciesFile.parse(Policies.DEFAULT_YAML));
    assertThat(new SourcesFile(defaults).parse(yaml).of("readings")).isPresent();
    String head =
        """
        sources:
          - topic: readings
            format: %s
            registry: 'http://localhost:1'
            mapping:
        """
            .formatted(proposal.entry().get("format"));
    assertThat(yaml).startsWith(head);
    return yaml.substring(head.length()).stripIndent();
  }

  private static final String DOUBLE = ",'type':'double'}";
  private static final String STRING = ",'type':'string'}";

  @Test
  void shouldReadOneValueForEachRecord() {
    assertThat(
            avro(
                "{'name':'metric'"
                    + STRING
                    + ",{'name':'host'"
                    + STRING
                    + ",{'name':'trace_id'"
                    + STRING
                    + ",{'name':'ts','type':'long'},{'name':'value'"
                    + DOUBLE))
        .isEqualTo(
            """
            name: '{metric}'
            tags: [host]
            time: ts
            values: [value]""");
  }

  @Test
  void shouldReadSeveralNumbersForEachRecord() {
    assertThat(
            avro(
                "{'name':'device_id','type':'long'},{'name':'id','type':'long'},{'name':'temp'"
                    + DOUBLE
                    + ",{'name':'on','type':'boolean'},{'name':'at','type':{'type':'long','logicalType':"
                    + "'timestamp-millis'}},{'name':'labels','type':{'type':'map','values':'string'}}"))
        .isEqualTo(
            """
            name: readings
            tags: [device_id, labels]
            time: at
            values: [temp, 'on']""");
  }

  @Test
  void shouldNameNestedValuesByTheirPaths() {
    String load = "'type':{'type':'record','name':'%s','fields':[{'name':'load'" + DOUBLE + "]}}";
    assertThat(
            avro("{'name':'cpu'," + load.formatted("C") + ",{'name':'disk'," + load.formatted("D")))
        .isEqualTo(
            """
            name: readings
            values:
              cpu.load: cpu.load
              disk.load: disk.load""");
  }

  @Test
  void shouldReadTheItemsOfAList() {
    assertThat(
            avro(
                "{'name':'host'"
                    + STRING
                    + ",{'name':'uptime'"
                    + DOUBLE
                    + ",{'name':'samples','type':{'type':'array','items':{'type':'record','name':'S',"
                    + "'fields':[{'name':'metric'"
                    + STRING
                    + ",{'name':'value'"
                    + DOUBLE
                    + "]}}}"))
        .isEqualTo(
            """
            name: '{samples[].metric}'
            tags: [host]
            values: ['samples[].value']""");
  }

  @Test
  void shouldReadMaps() {
    assertThat(avro("{'name':'gauges','type':{'type':'map','values':'double'}}"))
        .isEqualTo(
            """
            name: readings
            values: [gauges]""");
    assertThat(
            avro(
                "{'name':'cores','type':{'type':'map','values':{'type':'record','name':'C',"
                    + "'fields':[{'name':'load'"
                    + DOUBLE
                    + "]}}}"))
        .isEqualTo(
            """
            name: '{cores[].@key}'
            values: ['cores[].load']""");
  }

  @Test
  void shouldReadProtobufWithNestedLists() {
    assertThat(
            mapping(
                proposal(
                    "PROTOBUF",
                    """
                    syntax = "proto3";
                    message Hall {
                      repeated Rack racks = 1;
                      uint64 timestamp = 2;
                    }
                    message Rack {
                      string id = 1;
                      repeated Sensor sensors = 2;
                    }
                    message Sensor {
                      int32 id = 1;
                      float reading = 2;
                      Hall self = 3;
                    }
                    """)))
        .isEqualTo(
            """
            name: readings
            tags:
              racks_sensors_id: 'racks[].sensors[].id'
              racks_id: 'racks[].id'
            time: timestamp
            values: ['racks[].sensors[].reading']""");
  }

  @Test
  void shouldReadJson() {
    String schema =
        """
        {"type": "object",
         "properties": {
           "sensor": {"$ref": "#/definitions/Sensor"},
           "at": {"type": "string", "format": "date-time"},
           "temperature": {"type": ["null", "number"]},
           "gauges": {"type": "object", "additionalProperties": {"type": "number"}}},
         "definitions": {
           "Sensor": {"properties": {
             "host": {"oneOf": [{"type": "null"}, {"type": "string"}]},
             "self": {"$ref": "#/definitions/Sensor"}}}}}
        """;
    assertThat(proposal("JSON", schema).entry().get("mapping"))
        .isEqualTo(
            Map.of(
                "name",
                "readings",
                "tags",
                List.of("sensor.host"),
                "time",
                "at",
                "values",
                List.of("temperature", "gauges")));
  }

  @Test
  void shouldReadADialectOfJsonWithoutAMapping() {
    byte[] text = "\0\0\0\0\7{\"name\":\"a\",\"value\":1,\"time\":1}".getBytes(UTF_8);
    SchemaProposal proposal =
        SchemaProposal.of(
            "readings",
            List.of(new ConsumerRecord<>("readings", 0, 3, null, text)),
            id -> new Schema("schema 7", "JSON", "{}", List.of()),
            "");
    assertThat(proposal.entry()).isEqualTo(Map.of("topic", "readings", "format", "json"));
  }

  @Test
  void shouldReadSchemasOfFiles(@TempDir Path dir) throws Exception {
    Path avro =
        Files.writeString(
            dir.resolve("r.avsc"),
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"load\",\"type\":\"int\"}]}");
    var plain = new ConsumerRecord<byte[], byte[]>("readings", 0, 3, null, new byte[] {8});
    assertThat(SchemaProposal.ofFile("readings", List.of(plain), avro.toString(), ""))
        .extracting(SchemaProposal::entry)
        .containsExactly(
            Map.of(
                "topic",
                "readings",
                "format",
                "avro",
                "schema",
                avro.toString(),
                "mapping",
                Map.of("name", "readings", "values", List.of("load"))));
    Path proto =
        Files.writeString(
            dir.resolve("r.proto"),
            "syntax = \"proto3\"; message A { int32 no = 1; } message B { int32 load = 1; }");
    byte[] second = {0, 0, 0, 0, 7, 2, 2, 8, 1};
    var framed = new ConsumerRecord<byte[], byte[]>("readings", 0, 3, null, second);
    for (String message : List.of("", "B")) {
      assertThat(SchemaProposal.ofFile("readings", List.of(framed), proto.toString(), message))
          .extracting(proposal -> proposal.entry().get("framed"))
          .containsExactly(true);
    }
    assertThatThrownBy(
            () -> SchemaProposal.ofFile("readings", List.of(framed), proto.toString(), "A"))
        .hasMessage(
            "no field of schema file '%s' looks like a value: set values in a mapping"
                .formatted(proto));
    assertThatThrownBy(() -> SchemaProposal.ofFile("readings", List.of(), "r.json", ""))
        .hasMessage("'r.json' is no .avsc or .proto file (--schema)");
  }

  @Test
  void shouldSayWhyNothingIsProposed() {
    assertThatThrownBy(() -> avro("{'name':'host'" + STRING))
        .hasMessage("no field of schema 7 looks like a value: set values in a mapping");
    assertThatThrownBy(() -> proposal("THRIFT", ""))
        .hasMessage("schema 7 is of type THRIFT, which Rondo does not read");
    assertThatThrownBy(() -> proposal("AVRO", "x"))
        .hasMessageStartingWith(
            "topic 'readings' partition 0 offset 3: schema 7 is not an Avro schema");
    assertThatThrownBy(() -> SchemaProposal.of("readings", List.of(), id -> null, ""))
        .hasMessageContaining("names a schema of a registry (--registry)");
  }
}
