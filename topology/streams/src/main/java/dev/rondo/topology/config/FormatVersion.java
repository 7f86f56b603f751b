package dev.rondo.topology.config;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Formats of the state in changelogs. An instance reads all of them and writes the one that {@code
 * format.version} names. So instances can be upgraded one after the other, and rolled back as long
 * as they write the previous format.
 *
 * <p>A release that changes a codec adds a constant, and the codec reads and writes both formats.
 * State in each format is kept as files of {@code FormatVersionTest}.
 */
public enum FormatVersion {
  /** The first. */
  V1(1, 1, 1);

  /** The format that this release adds; written once {@code format.version} is set to it. */
  public static final FormatVersion NEWEST = values()[values().length - 1];

  /** The format that the previous release also reads; the default of {@code format.version}. */
  public static final FormatVersion PREVIOUS = values()[Math.max(0, values().length - 2)];

  private final int number;
  private final byte segment;
  private final byte waiting;

  /**
   * A format.
   *
   * @param number value of {@code format.version}
   * @param segment first byte of a segment
   * @param waiting first byte of batches that wait
   */
  FormatVersion(int number, int segment, int waiting) {
    this.number = number;
    this.segment = (byte) segment;
    this.waiting = (byte) waiting;
  }

  /** The format of this number. */
  public static FormatVersion of(int number) {
    return values()[number - 1];
  }

  /** The value of {@code format.version}, from 1. */
  public int number() {
    return number;
  }

  /** First byte of a segment. */
  public byte segment() {
    return segment;
  }

  /** First byte of batches that wait. */
  public byte waiting() {
    return waiting;
  }

  /** The oldest format whose segments begin with this byte. */
  public static FormatVersion ofSegment(int number, byte first) {
    return of("segment " + number + " has", first, FormatVersion::segment);
  }

  /** The oldest format whose waiting batches begin with this byte. */
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
