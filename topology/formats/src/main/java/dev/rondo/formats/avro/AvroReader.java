package dev.rondo.formats.avro;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.DroppedException;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.mapping.SchemaReader;
import dev.rondo.formats.mapping.Shape;
import dev.rondo.formats.mapping.Tree;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.ResolvingDecoder;

/** Reads Avro's binary encoding by the writer's schema. */
public final class AvroReader implements SchemaReader {
  private static final int MAX_NESTING = 64;
  private static final int MAX_SCHEMA_LENGTH = 1 << 20;

  /** Most values of a record. Its bytes do not bound them: nulls take none. */
  private static final int MAX_VALUES = 1 << 22;

  private static final int PREALLOCATED_ITEMS = 1024;

  private final Schema schema;
  private final GenericDatumReader<Object> reader;
  private final Tree tree = new AvroTree();
  private BinaryDecoder decoder;
  private int nesting;
  private int values;

  private AvroReader(Schema schema) {
    this.schema = schema;
    this.reader = new BoundedReader(schema);
  }

  /** Creates a reader; throws if the text is not an Avro schema. */
  public static AvroReader of(dev.rondo.formats.schemaregistry.Schema text)
      throws DroppedException {
    try {
      Schema.Parser parser = new Schema.Parser().setValidateDefaults(false);
      for (var reference : text.references()) {
        parse(parser, reference.text());
      }
      Schema schema = parse(parser, text.text());
      GenericData.setStringType(schema, GenericData.StringType.String);
      return new AvroReader(schema);
    } catch (AvroRuntimeException e) {
      throw new DroppedException(
          DropReason.UNSUPPORTED,
          "%s is not an Avro schema: %s".formatted(text.label(), Excerpt.of(e.getMessage())));
    } catch (StackOverflowError e) { // the parser recurses
      throw new DroppedException(DropReason.UNSUPPORTED, text.label() + " is nested too deeply");
    }
  }

  private static Schema parse(Schema.Parser parser, String text) {
    if (text.length() > MAX_SCHEMA_LENGTH) {
      throw new AvroRuntimeException(
          "%d characters, more than %d".formatted(text.length(), MAX_SCHEMA_LENGTH));
    }
    return parser.parse(text);
  }

  @Override
  public Shape shape() {
    return AvroShape.of(schema);
  }

  @Override
  public Tree tree() {
    return tree;
  }

  @Override
  public Object read(byte[] value, int from, int to) throws DroppedException {
    nesting = 0;
    values = 0;
    decoder = DecoderFactory.get().binaryDecoder(value, from, to - from, decoder);
    try {
      Object record = reader.read(null, decoder);
      if (!decoder.isEnd()) {
        throw DroppedException.unreadable(
            "%d bytes follow the record of %s"
                .formatted(decoder.remainingBytes(), schema.getFullName()));
      }
      return record;
    } catch (IOException | RuntimeException e) { // Avro throws exceptions of any class
      if (values > MAX_VALUES) {
        throw new DroppedException(
            DropReason.RECORD_OVER_LIMIT,
            "record of %s with more than %d values".formatted(schema.getFullName(), MAX_VALUES));
      }
      throw DroppedException.unreadable(
          "not a record of %s: %s".formatted(schema.getFullName(), Excerpt.of(e.toString())));
    }
  }

  private static GenericData data() {
    GenericData data = new GenericData();
    data.addLogicalTypeConversion(new Conversions.DecimalConversion());
    data.addLogicalTypeConversion(new Conversions.BigDecimalConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimestampMicrosConversion());
    data.addLogicalTypeConversion(new TimeConversions.TimestampNanosConversion());
    data.addLogicalTypeConversion(new TimeConversions.LocalTimestampMillisConversion());
    data.addLogicalTypeConversion(new TimeConversions.LocalTimestampMicrosConversion());
    data.addLogicalTypeConversion(new TimeConversions.LocalTimestampNanosConversion());
    data.addLogicalTypeConversion(new TimeConversions.DateConversion());
    data.setFastReaderEnabled(false); // it cannot be bounded
    return data;
  }

  /** Bounds the number of values and the nesting of records, because a type may contain itself. */
  private final class BoundedReader extends GenericDatumReader<Object> {
    BoundedReader(Schema schema) {
      super(schema, schema, data());
    }

    @Override
    protected Object readWithoutConversion(Object old, Schema expected, ResolvingDecoder in)
        throws IOException {
      if (++values > MAX_VALUES) {
        throw new IOException("too many values");
      }
      return super.readWithoutConversion(old, expected, in);
    }

    @Override
    protected Object newArray(Object old, int size, Schema array) {
      return super.newArray(old, Math.min(size, PREALLOCATED_ITEMS), array);
    }

    @Override
    protected Object readRecord(Object old, Schema expected, ResolvingDecoder in)
        throws IOException {
      if (nesting == MAX_NESTING) {
        throw new IOException("records are nested deeper than " + MAX_NESTING);
      }
      nesting++;
      Object record = super.readRecord(old, expected, in);
      nesting--;
      return record;
    }
  }
}
