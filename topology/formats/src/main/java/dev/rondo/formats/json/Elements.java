package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.rondo.formats.DropReason;
import dev.rondo.formats.Excerpt;
import dev.rondo.formats.PointSink;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Iterates over the elements of a record, so that a large record is never parsed as a whole: any
 * number of top-level values, the items of arrays, and those of a Telegraf batch, {@code
 * {"metrics":[…]}}.
 *
 * <p>Bounds: nesting 32, text 1 MiB, key 4 KiB, number 1000 characters. Anything beyond them counts
 * as broken JSON, like a value that does not end.
 */
final class Elements implements AutoCloseable {
  private static final byte[] BATCH = {'"', 'm', 'e', 't', 'r', 'i', 'c', 's', '"'};

  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxStringLength(1 << 20)
                  .maxNameLength(1 << 12)
                  .maxNumberLength(1000)
                  .build())
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS) // Python's json.dumps writes NaN
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // a sender may use any number of keys
          .build();

  private final byte[] record;
  private JsonParser parser;
  private boolean isInArray;
  private boolean isInBatch;
  private int from;
  private int to;
  private String fault = "";

  Elements(byte[] record) {
    this.record = record;
  }

  /** Reads the next element into {@code tape}; false at the end or at broken JSON. */
  boolean next(Tape tape) {
    try {
      if (parser == null) {
        parser = JSON.createParser(record);
      }
      return read(tape);
    } catch (JsonProcessingException e) {
      fault = e.getOriginalMessage();
    } catch (IOException e) {
      fault = e.getMessage();
    }
    return false;
  }

  private boolean read(Tape tape) throws IOException {
    while (true) {
      from = to;
      JsonToken token = parser.nextToken();
      if (token == null) {
        return false;
      }
      from = start();
      if (token == JsonToken.START_ARRAY && !isInArray) {
        isInArray = true;
      } else if (token == JsonToken.START_OBJECT && !isInArray && isBatch(from + 1)) {
        parser.nextToken(); // the key
        parser.nextToken(); // the start of the array
        isInArray = true;
        isInBatch = true;
      } else if (token == JsonToken.END_ARRAY) {
        isInArray = false;
        if (isInBatch) {
          skipRestOfBatch();
        }
      } else {
        tape.read(parser);
        to = here();
        return true;
      }
      to = here();
    }
  }

  private int start() throws IOException {
    long at = parser.currentTokenLocation().getByteOffset();
    if (at < 0) {
      throw new JsonParseException(parser, "not UTF-8"); // Jackson reads UTF-16 and UTF-32, too
    }
    return (int) at;
  }

  /** Whether an object whose members are at {@code at} begins with an array of metrics. */
  private boolean isBatch(int at) {
    int key = skipSpace(at);
    for (int n = 0; n < BATCH.length; n++) {
      if (byteAt(key + n) != BATCH[n]) {
        return false;
      }
    }
    int colon = skipSpace(key + BATCH.length);
    return byteAt(colon) == ':' && byteAt(skipSpace(colon + 1)) == '[';
  }

  private int skipSpace(int at) {
    int end = at;
    while (byteAt(end) == ' '
        || byteAt(end) == '\t'
        || byteAt(end) == '\r'
        || byteAt(end) == '\n') {
      end++;
    }
    return end;
  }

  private int byteAt(int at) {
    return at < record.length ? record[at] : -1;
  }

  private void skipRestOfBatch() throws IOException {
    while (parser.nextFieldName() != null) {
      parser.nextToken();
      parser.skipChildren();
    }
    isInBatch = false;
  }

  private int here() {
    return (int) parser.currentLocation().getByteOffset();
  }

  /** Offset of the last element in the record, or of the broken JSON, which has no end. */
  int from() {
    return from;
  }

  /** End offset of the last element. */
  int to() {
    return to;
  }

  /** After {@link #next} returned false: drops the rest of the record if its JSON is broken. */
  void dropFault(PointSink sink) {
    if (!fault.isEmpty()) {
      String detail = "%s: '%s'".formatted(fault, Excerpt.of(record, from, record.length));
      sink.drop(DropReason.UNREADABLE, detail, from, record.length);
    }
  }

  @Override
  public void close() {
    try {
      if (parser != null) {
        parser.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: reads from memory
    }
  }
}
