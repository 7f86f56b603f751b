package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;

/**
 * One JSON value as a flat list of its parts in the order of the text. A part is identified by its
 * index; the whole value is 0.
 *
 * <pre>
 *   {"name":"up","tags":{"dc":"ams"},"value":1}
 *
 *   index   0   1        2      3          4
 *   key         name     tags   dc         value
 *   token   {   "up"     {      "ams"      1
 *   end     5            4
 * </pre>
 *
 * Reused for each value. Not thread-safe.
 */
final class Tape {
  private static final int USUAL_SIZE = 64;

  /** Capacity beyond which the arrays are released before the next value. */
  private static final int LARGEST_KEPT = 1 << 14;

  private JsonToken[] tokens = {};
  private String[] keys = {};
  private String[] texts = {};
  private long[] numbers = {}; // for an object or array: its end
  private int size;

  /** Reads the value at the parser's current token; leaves the parser at its last token. */
  void read(JsonParser parser) throws IOException {
    size = 0;
    if (tokens.length == 0 || tokens.length > LARGEST_KEPT) {
      resize(USUAL_SIZE);
    }
    add(null, parser);
  }

  private void add(String key, JsonParser parser) throws IOException {
    if (size == tokens.length) {
      resize(2 * size);
    }
    int at = size++;
    JsonToken token = parser.currentToken();
    tokens[at] = token;
    keys[at] = key;
    switch (token) {
      case START_OBJECT -> addMembers(at, parser);
      case START_ARRAY -> addItems(at, parser);
      case VALUE_STRING -> texts[at] = parser.getText();
      case VALUE_NUMBER_FLOAT -> numbers[at] = Double.doubleToRawLongBits(parser.getDoubleValue());
      case VALUE_NUMBER_INT -> addWhole(at, parser);
      default -> {} // true, false, null: the token is the value
    }
  }

  private void addMembers(int at, JsonParser parser) throws IOException {
    for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
      parser.nextToken();
      add(key, parser);
    }
    numbers[at] = size;
  }

  private void addItems(int at, JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      add(null, parser);
    }
    numbers[at] = size;
  }

  private void addWhole(int at, JsonParser parser) throws IOException {
    switch (parser.getNumberType()) {
      case INT, LONG -> numbers[at] = parser.getLongValue();
      default -> {
        tokens[at] = JsonToken.VALUE_NUMBER_FLOAT;
        numbers[at] = Double.doubleToRawLongBits(parser.getDoubleValue());
      }
    }
  }

  private void resize(int length) {
    tokens = Arrays.copyOf(tokens, length);
    keys = Arrays.copyOf(keys, length);
    texts = Arrays.copyOf(texts, length);
    numbers = Arrays.copyOf(numbers, length);
  }

  /** The first token of the part; a number counts as an integer only if it fits a long. */
  JsonToken token(int at) {
    return tokens[at];
  }

  boolean isObject(int at) {
    return tokens[at] == JsonToken.START_OBJECT;
  }

  boolean isArray(int at) {
    return tokens[at] == JsonToken.START_ARRAY;
  }

  boolean isText(int at) {
    return tokens[at] == JsonToken.VALUE_STRING;
  }

  boolean isNumber(int at) {
    return tokens[at] == JsonToken.VALUE_NUMBER_INT || tokens[at] == JsonToken.VALUE_NUMBER_FLOAT;
  }

  String key(int at) {
    return keys[at];
  }

  /** Text of a part for which {@link #isText} is true. */
  String text(int at) {
    return texts[at];
  }

  /** Number of a part for which {@link #isNumber} is true; infinite if it exceeds a double. */
  double number(int at) {
    return tokens[at] == JsonToken.VALUE_NUMBER_INT
        ? numbers[at]
        : Double.longBitsToDouble(numbers[at]);
  }

  /** Integer of a part with an integer token. */
  long integer(int at) {
    return numbers[at];
  }

  /** Index of the first part of an object or array. */
  int first(int at) {
    return at + 1;
  }

  /** Index after the last part of an object or array. */
  int end(int at) {
    return (int) numbers[at];
  }

  /** Index after this part and its own parts. */
  int next(int at) {
    return isObject(at) || isArray(at) ? end(at) : at + 1;
  }

  int length(int array) {
    int length = 0;
    for (int at = first(array); at < end(array); at = next(at)) {
      length++;
    }
    return length;
  }

  /** Index of a member of an object, the last of equal keys; -1 = absent. */
  int member(int object, String key) {
    int found = -1;
    for (int at = first(object); at < end(object); at = next(at)) {
      if (keys[at].equals(key)) {
        found = at;
      }
    }
    return found;
  }
}
