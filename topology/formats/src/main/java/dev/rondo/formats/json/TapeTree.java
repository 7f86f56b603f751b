package dev.rondo.formats.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.rondo.formats.mapping.Tree;

/** Accesses the parts of a tape's value by their index. */
final class TapeTree implements Tree {
  private final Tape tape;

  TapeTree(Tape tape) {
    this.tape = tape;
  }

  @Override
  public Kind kind(Object part) {
    int at = (int) part;
    if (tape.isArray(at)) {
      return Kind.LIST;
    }
    return tape.isObject(at) ? Kind.ENTRIES : Kind.SCALAR;
  }

  @Override
  public Object entry(Object part, String key) {
    int at = (int) part;
    return tape.isObject(at) ? present(tape.member(at, key)) : null;
  }

  private Integer present(int at) {
    return at < 0 || tape.token(at) == JsonToken.VALUE_NULL ? null : (Integer) at;
  }

  @Override
  public void forEach(Object part, Entries to) {
    int whole = (int) part;
    boolean hasKeys = tape.isObject(whole);
    for (int at = tape.first(whole); at < tape.end(whole); at = tape.next(at)) {
      to.entry(hasKeys ? tape.key(at) : "", present(at));
    }
  }

  @Override
  public Object scalar(Object part) {
    int at = (int) part;
    return switch (tape.token(at)) {
      case VALUE_STRING -> tape.text(at);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> (Object) tape.integer(at);
      default -> tape.number(at);
    };
  }
}
