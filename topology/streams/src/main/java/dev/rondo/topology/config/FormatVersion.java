package dev.rondo.topology.config;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.SerializationException;

/**
 * The formats that instances leave for each other in changelogs. All that are here are read,
 * whichever is written: so one instance after the other can be replaced by one of another release,
 * and be put back while the former format is still the one that is written.
 *
 * <p>A release that changes a codec adds a constant, and its codec reads and writes both. What a
 * former release has written is kept as files of {@code FormatVersionTest}.
 */
public enum FormatVersion {
  /** The first. */
  V1(1, 2, 2);

  /** The format that a release brings, written once {@code format.version} says so. */
  public static final FormatVersion NEWEST = values()[values().length - 1];

  /** The format that the release before reads, too: written until told otherwise. */
  public static final FormatVersion FORMER = values()[Math.max(0, values().length - 2)];

  private final int number;
  private final byte segment;
  private final byte waiting;

  /**
   * The first byte of what is written.
   *
   * @param number 1 for the first
   * @param segment of a segment
   * @param waiting of batches that wait
   */
  FormatVersion(int number, int segment, int waiting) {
    this.number = number;
    this.segment = (byte) segment;
    this.waiting = (byte) waiting;
  }

  /** Of the number, 1 for the first. */
  public static FormatVersion of(int number) {
    return values()[number - 1];
  }

  /** The number, 1 for the first. */
  public int number() {
    return number;
  }

  /** What a segment begins with. */
  public byte segment() {
    return segment;
  }

  /** What batches that wait begin with. */
  public byte waiting() {
    return waiting;
  }

  /** The oldest format whose segments begin so. */
  public static FormatVersion ofSegment(int number, byte first) {
    return of("segment " + number + " has", first, FormatVersion::segment);
  }

  /** The oldest format whose waiting batches begin so. */
  public static FormatVersion ofWaiting(byte first) {
    return of("points that wait have", first, FormatVersion::waiting);
  }

  private static FormatVersion of(String what, byte first, Function<FormatVersion, Byte> begin) {
    return Arrays.stream(values())
        .filter(version -> begin.apply(version) == first)
        .findFirst()
        .orElseThrow(
            () ->
                new SerializationException(
                    "%s format %d, this program reads %s"
                        .formatted(
                            what,
                            first,
                            Arrays.stream(values())
                                .map(version -> begin.apply(version).toString())
                                .distinct()
                                .collect(Collectors.joining(", ")))));
  }
}
