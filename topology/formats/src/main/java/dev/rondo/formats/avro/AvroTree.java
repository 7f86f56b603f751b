package dev.rondo.formats.avro;

import dev.rondo.formats.mapping.DecimalNumber;
import dev.rondo.formats.mapping.Tree;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/** Accesses the parts of generic Avro records. Local times and dates count as UTC. */
final class AvroTree implements Tree {
  @Override
  public Kind kind(Object part) {
    if (part instanceof Number
        || part instanceof CharSequence
        || part instanceof Boolean
        || part instanceof Instant
        || part instanceof GenericEnumSymbol
        || part instanceof LocalDateTime
        || part instanceof LocalDate) {
      return Kind.SCALAR;
    }
    if (part instanceof IndexedRecord || part instanceof Map) {
      return Kind.ENTRIES;
    }
    return part instanceof Collection ? Kind.LIST : Kind.OTHER;
  }

  @Override
  public Object entry(Object part, String key) {
    if (part instanceof GenericRecord record) {
      Schema.Field field = record.getSchema().getField(key);
      return field == null ? null : record.get(field.pos());
    }
    return part instanceof Map<?, ?> map ? map.get(key) : null;
  }

  @Override
  public void forEach(Object part, Entries to) {
    if (part instanceof Collection<?> list) {
      list.forEach(item -> to.entry("", item));
    } else if (part instanceof Map<?, ?> map) {
      map.forEach((key, item) -> to.entry(key.toString(), item));
    } else if (part instanceof IndexedRecord record) {
      for (Schema.Field field : record.getSchema().getFields()) {
        to.entry(field.name(), record.get(field.pos()));
      }
    }
  }

  @Override
  public Object scalar(Object part) {
    if (part instanceof LocalDateTime time) {
      return time.toInstant(ZoneOffset.UTC);
    }
    if (part instanceof LocalDate date) {
      return date.atStartOfDay().toInstant(ZoneOffset.UTC);
    }
    if (part instanceof BigDecimal decimal) {
      return DecimalNumber.of(decimal);
    }
    return part instanceof CharSequence || part instanceof GenericEnumSymbol
        ? part.toString()
        : part;
  }
}
