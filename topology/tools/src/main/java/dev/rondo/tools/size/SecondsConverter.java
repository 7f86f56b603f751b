package dev.rondo.tools.size;

import dev.rondo.topology.policy.Spans;
import dev.rondo.topology.settings.SettingException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seconds of a length of time, {@code 500ms} or {@code 10s}; a bare number is seconds. */
final class SecondsConverter implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    if (text.matches("\\d+(\\.\\d+)?")) {
      return Double.parseDouble(text);
    }
    try {
      return Spans.parseMs(text, "a span") / 1000.0;
    } catch (SettingException e) {
      throw new TypeConversionException(
          "'" + text + "' is neither seconds nor a length of time like 500ms, 10s, 1m or 7d");
    }
  }
}
