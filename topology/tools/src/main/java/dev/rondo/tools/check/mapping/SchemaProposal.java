package dev.rondo.tools.check.mapping;

import dev.rondo.formats.DroppedException;
import dev.rondo.formats.catalog.Format;
import dev.rondo.formats.mapping.SchemaDecoder;
import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.schemaregistry.Framing;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.SchemaFile;
import dev.rondo.formats.schemaregistry.Schemas;
import dev.rondo.tools.command.CommandException;
import dev.rondo.topology.source.SchemaFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A source proposed from the schema of the newest record, or of a file.
 *
 * @param schema names the schema
 * @param entry of the sources file
 * @param hasPlainTime whether the unit of its times is not known
 */
public record SchemaProposal(String schema, Map<String, Object> entry, boolean hasPlainTime) {
  /** What YAML reads as text without quotes. */
  private static final Pattern PLAIN =
      Pattern.compile("(?!(?i:true|false|null|yes|no|on|off|y|n)$)[a-zA-Z][a-zA-Z0-9_.-]*");

  /** Whether the record begins like one of a registry, or has the header of one. */
  public static boolean isFramed(ConsumerRecord<byte[], byte[]> record) {
    return header(record) != null || (record.value() != null && Framing.isFramed(record.value()));
  }

  /**
   * Proposes a source.
   *
   * @param registry of the schemas, as in the sources file
   * @throws CommandException if no record names a schema, the registry does not have it, or none of
   *     its fields looks like a value
   */
  public static SchemaProposal of(
      String topic,
      List<ConsumerRecord<byte[], byte[]>> records,
      Schemas schemas,
      String registry) {
    ConsumerRecord<byte[], byte[]> newest =
        newestFramed(records)
            .orElseThrow(
                () ->
                    CommandException.refused(
                        "no record read from topic '%s' names a schema of a registry (--registry)"
                            .formatted(topic)));
    try {
      return of(topic, newest, schemas, registry);
    } catch (DroppedException e) {
      throw CommandException.refused(
          "topic '%s' partition %d offset %d: %s (--registry)"
              .formatted(topic, newest.partition(), newest.offset(), e.getMessage()));
    }
  }

  private static Optional<ConsumerRecord<byte[], byte[]>> newestFramed(
      List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .filter(record -> record.value() != null && isFramed(record))
        .reduce((a, b) -> b.timestamp() >= a.timestamp() ? b : a);
  }

  /**
   * Proposes sources for records whose schema is in a file: as without framing, and if a record
   * looks framed, as with it.
   *
   * @param file name of an .avsc or .proto file
   * @param message full name of the Protobuf message; empty = not given
   * @throws CommandException if the file is of another kind or has no field that looks like a value
   */
  public static List<SchemaProposal> ofFile(
      String topic, List<ConsumerRecord<byte[], byte[]>> records, String file, String message) {
    Format format =
        file.endsWith(".avsc") ? Format.AVRO : file.endsWith(".proto") ? Format.PROTOBUF : null;
    if (format == null) {
      throw CommandException.misuse("'%s' is no .avsc or .proto file (--schema)".formatted(file));
    }
    List<SchemaProposal> proposals = new ArrayList<>();
    try {
      var framed = newestFramed(records);
      if (framed.isEmpty() || format == Format.AVRO) { // Protobuf never begins with a 0
        proposals.add(ofFile(topic, format, file, message, Optional.empty()));
      }
      if (framed.isPresent()) {
        proposals.add(ofFile(topic, format, file, message, framed));
      }
    } catch (DroppedException e) {
      throw CommandException.refused(e.getMessage() + " (--schema)");
    }
    return proposals;
  }

  private static SchemaProposal ofFile(
      String topic,
      Format format,
      String name,
      String message,
      Optional<ConsumerRecord<byte[], byte[]>> framed)
      throws DroppedException {
    SchemaDecoder.Compiler compiler = format.compiler();
    SchemaFile file =
        SchemaFiles.read(name, compiler.type(), message, framed.isPresent(), "--schema");
    List<Integer> indexes = List.of();
    if (framed.isPresent()) {
      byte[] header = header(framed.get());
      indexes = Framing.read(framed.get().value(), header, compiler.hasMessages()).message();
    }
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("topic", topic);
    entry.put("format", format.key());
    entry.put("schema", name);
    if (!message.isEmpty()) {
      entry.put("message", message);
    }
    if (framed.isPresent()) {
      entry.put("framed", true);
    }
    Shape shape = SchemaDecoder.compile(compiler, file, indexes).shape();
    MappingProposal mapping = mapping(shape, topic, file.schema());
    entry.put("mapping", mapping.entry());
    return new SchemaProposal(file.schema().label(), entry, mapping.hasPlainTime());
  }

  private static MappingProposal mapping(Shape shape, String topic, Schema schema) {
    return MappingProposal.of(shape, topic)
        .orElseThrow(
            () ->
                CommandException.refused(
                    "no field of %s looks like a value: set values in a mapping"
                        .formatted(schema.label())));
  }

  private static SchemaProposal of(
      String topic, ConsumerRecord<byte[], byte[]> record, Schemas schemas, String registry)
      throws DroppedException {
    Schema schema = schemas.get(Framing.read(record.value(), header(record), false).schema());
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("topic", topic);
    Format metrics = Format.recognised(record.value());
    boolean isJson = schema.type().equals("JSON");
    if ((isJson && metrics == Format.JSON) || (isProtobuf(schema) && metrics == Format.OTLP)) {
      entry.put("format", metrics.key()); // which needs no mapping
      return new SchemaProposal(schema.label(), entry, false);
    }
    Format format =
        Format.of(schema.type().toLowerCase(Locale.ROOT))
            .filter(known -> isJson || known.needsSchema())
            .orElseThrow(
                () ->
                    CommandException.refused(
                        "%s is of type %s, which Rondo does not read"
                            .formatted(schema.label(), schema.type())));
    MappingProposal mapping = mapping(shape(format, schema, record), topic, schema);
    entry.put("format", format.key());
    if (format.needsSchema()) {
      entry.put("registry", registry);
    }
    entry.put("mapping", mapping.entry());
    return new SchemaProposal(schema.label(), entry, mapping.hasPlainTime());
  }

  private static boolean isProtobuf(Schema schema) {
    return schema.type().equals("PROTOBUF");
  }

  private static Shape shape(Format format, Schema schema, ConsumerRecord<byte[], byte[]> record)
      throws DroppedException {
    if (!format.needsSchema()) {
      return JsonShape.of(schema);
    }
    SchemaDecoder.Compiler compiler = format.compiler();
    Framing framing = Framing.read(record.value(), header(record), compiler.hasMessages());
    return SchemaDecoder.compile(compiler, schema, framing.message()).shape();
  }

  private static byte[] header(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(Framing.HEADER);
    return header == null ? null : header.value();
  }

  /** The same with more settings of the source. */
  public SchemaProposal with(Map<String, Object> settings) {
    Map<String, Object> all = new LinkedHashMap<>(entry);
    settings.forEach(all::putIfAbsent);
    return new SchemaProposal(schema, all, hasPlainTime);
  }

  /** The lines of a sources file. */
  public List<String> yaml() {
    List<String> lines = new ArrayList<>(List.of("sources:"));
    lines.addAll(lines(entry));
    lines.set(1, lines.get(1).replaceFirst("    ", "  - "));
    return lines;
  }

  /** The lines of settings of a source in a sources file. */
  public static List<String> lines(Map<String, Object> settings) {
    List<String> lines = new ArrayList<>();
    add(settings, "    ", lines);
    return lines;
  }

  private static void add(Map<?, ?> map, String indent, List<String> lines) {
    map.forEach(
        (key, value) -> {
          String name = indent + (indent.length() > 6 ? quoted(key) : key) + ":";
          if (value instanceof Map<?, ?> inner) {
            lines.add(name);
            add(inner, indent + "  ", lines);
          } else if (value instanceof List<?> list) {
            lines.add(name + " " + list.stream().map(SchemaProposal::quoted).toList());
          } else {
            lines.add(name + " " + quoted(value));
          }
        });
  }

  /** A scalar as YAML: text in quotes if it needs them. */
  public static String quoted(Object value) {
    String text = value.toString();
    return value instanceof Boolean || PLAIN.matcher(text).matches()
        ? text
        : "'" + text.replace("'", "''") + "'";
  }
}
