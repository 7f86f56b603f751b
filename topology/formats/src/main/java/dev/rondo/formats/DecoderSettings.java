package dev.rondo.formats;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the decoder of a source is told.
 *
 * @param identMaxBytes longest ident, UTF-8
 * @param identMaxTags most tags of an ident
 * @param timeUnit of times that do not say it themselves; empty = what the format has by default
 * @param dialect whose variety of the format; empty = found out record by record
 * @param names what the user wants of the names
 */
public record DecoderSettings(
    int identMaxBytes,
    int identMaxTags,
    Optional<TimeUnit> timeUnit,
    Optional<String> dialect,
    NameRules names) {
  /** With names as the format tells them. */
  public DecoderSettings(
      int identMaxBytes, int identMaxTags, Optional<TimeUnit> timeUnit, Optional<String> dialect) {
    this(identMaxBytes, identMaxTags, timeUnit, dialect, NameRules.NONE);
  }

  /** What makes the idents, for one thread. */
  public Naming naming() {
    return new Naming(identMaxBytes, identMaxTags, names);
  }

  /** The same without what only one format means: its dialect and its unit of time. */
  public DecoderSettings ofAnyFormat() {
    return new DecoderSettings(
        identMaxBytes, identMaxTags, Optional.empty(), Optional.empty(), names);
  }
}
