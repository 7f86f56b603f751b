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
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The elements of a record, one after another, so that a large record is never in memory as a
 * whole: values that stand for themselves, in any number, the items of arrays, and those of a batch
 * as Telegraf writes it, {@code {"metrics":[…]}}.
 *
 * <p>Bounds: nesting 32, a text 1 MiB, a key 4 KiB, a number 1000 characters. What is beyond them
 * is broken JSON, as is what does not end.
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
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // keys may be anybody's
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

  /** Fills {@code tape} with the next element; false where there is none, or only broken JSON. */
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
        parser.nextToken(); // the array's begin
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

  /** Whether an object that has its members at {@code at} begins with an array of metrics. */
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

  /** Where the last element begins in the record, or what is broken; that has no end. */
  int from() {
    return from;
  }

  /** Where the last element ends. */
  int to() {
    return to;
  }

  /** What is wrong with the JSON, after {@link #next} was false; empty = nothing is. */
  String fault() {
    return fault;
  }

  @Override
  public void close() {
    try {
      if (parser != null) {
        parser.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no file behind it
    }
  }
}
