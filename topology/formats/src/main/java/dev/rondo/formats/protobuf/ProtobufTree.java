package dev.rondo.formats.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.rondo.formats.mapping.Tree;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Accesses the parts of dynamic messages. A map is a list of entries with {@code key} and {@code
 * value}; a google.protobuf.Timestamp is a time; a wrapper such as google.protobuf.DoubleValue is
 * its value.
 */
final class ProtobufTree implements Tree {
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private final IdentityHashMap<Descriptor, Map<String, FieldDescriptor>> fields =
      new IdentityHashMap<>();

  /** The entries of a map, in the order sent. */
  private record MapField(List<?> list) {}

  @Override
  public Kind kind(Object part) {
    if (part instanceof Message message) {
      return WellKnown.isScalar(message.getDescriptorForType()) ? Kind.SCALAR : Kind.ENTRIES;
    }
    if (part instanceof MapField) {
      return Kind.ENTRIES;
    }
    if (part instanceof List) {
      return Kind.LIST;
    }
    return part instanceof ByteString ? Kind.OTHER : Kind.SCALAR;
  }

  @Override
  public Object entry(Object part, String key) {
    if (part instanceof Message message) {
      FieldDescriptor field =
          fields.computeIfAbsent(message.getDescriptorForType(), ProtobufTree::byName).get(key);
      return field == null ? null : value(message, field);
    }
    if (part instanceof MapField map) {
      Object found = null;
      for (Object entry : map.list()) { // the last of equal keys wins, as in Protobuf
        found = key(entry).equals(key) ? item(entry) : found;
      }
      return found;
    }
    return null;
  }

  private static Map<String, FieldDescriptor> byName(Descriptor type) {
    Map<String, FieldDescriptor> byName = new HashMap<>();
    type.getFields().forEach(field -> byName.put(field.getName(), field));
    return byName;
  }

  /**
   * Returns null for a field that was not sent, if the schema distinguishes that from the default.
   */
  private static Object value(Message message, FieldDescriptor field) {
    Object value = message.getField(field);
    if (field.isMapField()) {
      return new MapField((List<?>) value);
    }
    if (field.isRepeated()) {
      return Unsigned.is(field)
          ? ((List<?>) value).stream().map(item -> Unsigned.number(field, item)).toList()
          : value;
    }
    return field.hasPresence() && !message.hasField(field) ? null : Unsigned.number(field, value);
  }

  @Override
  public void forEach(Object part, Entries to) {
    if (part instanceof List<?> list) {
      list.forEach(item -> to.entry("", item));
    } else if (part instanceof MapField map) {
      map.list().forEach(entry -> to.entry(key(entry), item(entry)));
    } else if (part instanceof Message message) {
      for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
        to.entry(field.getName(), value(message, field));
      }
    }
  }

  private static String key(Object entry) {
    Message message = (Message) entry;
    FieldDescriptor field = message.getDescriptorForType().findFieldByNumber(KEY);
    return Unsigned.text(field, message.getField(field));
  }

  private static Object item(Object entry) {
    Message message = (Message) entry;
    FieldDescriptor field = message.getDescriptorForType().findFieldByNumber(VALUE);
    return Unsigned.number(field, message.getField(field));
  }

  @Override
  public Object scalar(Object part) {
    if (part instanceof EnumValueDescriptor symbol) {
      return symbol.getName();
    }
    return part instanceof Message message ? WellKnown.scalar(message) : part;
  }
}
