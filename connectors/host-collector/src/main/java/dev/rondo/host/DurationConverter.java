package dev.rondo.host;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code 10s}, {@code 1m} or {@code 1m30s}. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    try {
      return Duration.parse("PT" + text);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 10s, 1m or 1m30s");
    }
  }
}
