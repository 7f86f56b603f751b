package dev.rondo.formats.mapping;

import dev.rondo.formats.Decoder;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.PointSink;
import dev.rondo.formats.schemaregistry.Framing;
import dev.rondo.formats.schemaregistry.Schema;
import dev.rondo.formats.schemaregistry.SchemaFile;
import dev.rondo.formats.schemaregistry.SchemaId;
import dev.rondo.formats.schemaregistry.Schemas;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes records by schemas from a registry, one for each id, or by one schema from a file. The
 * first record of a schema compiles it and checks the mapping against it. The byte range of every
 * point and drop is the whole record.
 */
public final class SchemaDecoder implements Decoder {
  /** Bounds memory if a source never stops producing ids. */
  private static final int MAX_READERS = 1_000;

  private static final SchemaId OF_FILE = SchemaId.of(0);

  /** Compiles schemas of one type. */
  public interface Compiler {
    /** Name of the type in a registry. */
    String type();

    /** Whether a record selects one message of its schema, as in Protobuf. */
    boolean hasMessages();

    /** Compiles a schema of a registry; throws if it is invalid. */
    SchemaReader compile(Schema schema, List<Integer> message) throws DroppedException;

    /** Compiles the schema of a file; throws if it is invalid. */
    SchemaReader compile(SchemaFile file) throws DroppedException;
  }

  private record Key(SchemaId id, List<Integer> message) {}

  /** A compiled schema, or the reason why it cannot be used. */
  private record Compiled(SchemaReader reader, DroppedException fault) {}

  private final Compiler compiler;
  private final Schemas schemas;
  private final Mapping mapping;
  private final MappedPoints points;
  private final Map<Key, Compiled> readers = new HashMap<>();

  /** Creates a decoder; {@code points} must not be shared. */
  public SchemaDecoder(Compiler compiler, Schemas schemas, Mapping mapping, MappedPoints points) {
    this.compiler = compiler;
    this.schemas = schemas;
    this.mapping = mapping;
    this.points = points;
  }

  @Override
  public void decode(byte[] value, long nowMs, PointSink sink) {
    decode(value, null, nowMs, sink);
  }

  @Override
  public void decode(byte[] value, byte[] schemaId, long nowMs, PointSink sink) {
    try {
      Framing framing =
          schemas.isFramed()
              ? Framing.read(value, schemaId, compiler.hasMessages())
              : new Framing(OF_FILE, List.of(), 0);
      SchemaReader reader = reader(key(framing));
      Object record = reader.read(value, framing.payload(), value.length);
      points.emit(reader.tree(), record, nowMs, sink, 0, value.length);
    } catch (DroppedException e) {
      sink.drop(e.reason(), e.getMessage(), 0, value.length);
    }
  }

  private Key key(Framing framing) {
    return new Key(schemas instanceof SchemaFile ? OF_FILE : framing.schema(), framing.message());
  }

  private SchemaReader reader(Key key) throws DroppedException {
    Compiled compiled = readers.get(key);
    if (compiled == null) {
      Schema schema = schemas.get(key.id()); // throws uncached, so the next record tries again
      if (readers.size() == MAX_READERS) {
        readers.clear();
      }
      compiled = compile(schema, key);
      readers.put(key, compiled);
    }
    if (compiled.fault() != null) {
      throw compiled.fault();
    }
    return compiled.reader();
  }

  private Compiled compile(Schema schema, Key key) {
    try {
      SchemaReader reader =
          schemas instanceof SchemaFile file
              ? compile(compiler, file, key.message())
              : compile(compiler, schema, key.message());
      Fit.check(mapping, reader.shape(), schema.label());
      return new Compiled(reader, null);
    } catch (DroppedException e) {
      return new Compiled(null, e);
    }
  }

  /**
   * Compiles the schema of a file; throws {@link DroppedException} if it is invalid.
   *
   * @param message indexes in the framing of a record; empty without them
   */
  public static SchemaReader compile(Compiler compiler, SchemaFile file, List<Integer> message)
      throws DroppedException {
    return message.isEmpty() || !file.message().isEmpty()
        ? compiler.compile(file)
        : compiler.compile(file.schema(), message);
  }

  /**
   * Compiles a schema of a registry; throws {@link DroppedException} if it is invalid, or of
   * another type.
   */
  public static SchemaReader compile(Compiler compiler, Schema schema, List<Integer> message)
      throws DroppedException {
    if (!schema.type().equals(compiler.type())) {
      throw DroppedException.unreadable(
          "%s is of type %s, the source reads %s (format)"
              .formatted(schema.label(), schema.type(), compiler.type()));
    }
    return compiler.compile(schema, message);
  }
}
