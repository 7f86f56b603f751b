package dev.rondo.formats;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Settings of a source's decoder.
 *
 * @param identMaxBytes longest ident, UTF-8
 * @param identMaxTags maximum number of tags
 * @param timeUnit unit of times without one; empty = the default of the format
 * @param dialect variety of the format; empty = detected record by record
 * @param names rules for the names of series
 */
public record DecoderSettings(
    int identMaxBytes,
    int identMaxTags,
    Optional<TimeUnit> timeUnit,
    Optional<String> dialect,
    NameRules names) {
  /** Settings without rules for names. */
  public DecoderSettings(
      int identMaxBytes, int identMaxTags, Optional<TimeUnit> timeUnit, Optional<String> dialect) {
    this(identMaxBytes, identMaxTags, timeUnit, dialect, NameRules.NONE);
  }

  /** Creates the naming for one thread. */
  public Naming naming() {
    return new Naming(identMaxBytes, identMaxTags, names);
  }

  /** The same settings without those specific to one format: dialect and time unit. */
  public DecoderSettings ofAnyFormat() {
    return new DecoderSettings(
        identMaxBytes, identMaxTags, Optional.empty(), Optional.empty(), names);
  }
}
