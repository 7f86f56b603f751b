package dev.rondo.formats.catalog;

import dev.rondo.formats.NameRules;
import dev.rondo.formats.Naming;
import dev.rondo.formats.RecordLimits;
import dev.rondo.formats.mapping.MappedSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Settings of a source's decoder.
 *
 * @param identMaxBytes longest ident, UTF-8
 * @param identMaxTags maximum number of tags
 * @param timeUnit unit of times without one; empty = the default of the format
 * @param dialect variety of the format; empty = detected record by record
 * @param limits on the cost of a record
 * @param names rules for the names of series
 * @param mapped mapping of records that follow no metrics protocol; empty for other formats
 * @param eventTags tags added to every event
 */
public record DecoderSettings(
    int identMaxBytes,
    int identMaxTags,
    Optional<TimeUnit> timeUnit,
    Optional<String> dialect,
    RecordLimits limits,
    NameRules names,
    Optional<MappedSource> mapped,
    List<String> eventTags) {
  /** Settings without rules for names, and with the default limits. */
  public DecoderSettings(
      int identMaxBytes, int identMaxTags, Optional<TimeUnit> timeUnit, Optional<String> dialect) {
    this(
        identMaxBytes,
        identMaxTags,
        timeUnit,
        dialect,
        RecordLimits.DEFAULT,
        NameRules.NONE,
        Optional.empty());
  }

  /** Settings without tags for events. */
  public DecoderSettings(
      int identMaxBytes,
      int identMaxTags,
      Optional<TimeUnit> timeUnit,
      Optional<String> dialect,
      RecordLimits limits,
      NameRules names,
      Optional<MappedSource> mapped) {
    this(identMaxBytes, identMaxTags, timeUnit, dialect, limits, names, mapped, List.of());
  }

  /** Creates the naming for one thread. */
  public Naming naming() {
    return new Naming(identMaxBytes, identMaxTags, names);
  }

  /** Returns the same settings for the records of a topic. */
  public DecoderSettings ofTopic(String topic) {
    return new DecoderSettings(
        identMaxBytes,
        identMaxTags,
        timeUnit,
        dialect,
        limits,
        names,
        mapped.map(source -> source.ofTopic(topic)),
        eventTags);
  }

  /** Returns the settings without those specific to one format: dialect, time unit, mapping. */
  public DecoderSettings ofAnyFormat() {
    return new DecoderSettings(
        identMaxBytes,
        identMaxTags,
        Optional.empty(),
        Optional.empty(),
        limits,
        names,
        Optional.empty());
  }
}
