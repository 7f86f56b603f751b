package dev.rondo.topology.config;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Formats of the state in changelogs. An instance reads all formats and writes one, so that
 * instances can be upgraded one by one, and rolled back while the previous format is written.
 *
 * <p>A release that changes a codec adds a constant; its codec reads and writes both formats.
 * {@code SegmentFormatTest} and {@code MergeBufferFormatTest} keep files of previous releases.
 */
public enum FormatVersion {
  /** The first format. */
  V1(1, 1, 1);

  /** The newest format of this release, written if {@code format.version} selects it. */
  public static final FormatVersion NEWEST = values()[values().length - 1];

  /** The format that the previous release reads, too; written by default. */
  public static final FormatVersion PREVIOUS = values()[Math.max(0, values().length - 2)];

  private final int number;
  private final byte segment;
  private final byte mergeBuffer;

  /**
   * @param number number of the format, from 1
   * @param segment first byte of a segment
   * @param mergeBuffer first byte of buffered batches
   */
  FormatVersion(int number, int segment, int mergeBuffer) {
    this.number = number;
    this.segment = (byte) segment;
    this.mergeBuffer = (byte) mergeBuffer;
  }

  public static FormatVersion of(int number) {
    return values()[number - 1];
  }

  public int number() {
    return number;
  }

  public byte segment() {
    return segment;
  }

  public byte mergeBuffer() {
    return mergeBuffer;
  }

  /** Returns the oldest format whose segments have this first byte. */
  public static FormatVersion ofSegment(int number, byte first) {
    return of("segment " + number, first, FormatVersion::segment);
  }

  /** Returns the oldest format whose buffered batches have this first byte. */
  public static FormatVersion ofMergeBuffer(byte first) {
    return of("the merge buffer", first, FormatVersion::mergeBuffer);
  }

  private static FormatVersion of(String what, byte first, Function<FormatVersion, Byte> begin) {
    return Arrays.stream(values())
        .filter(version -> begin.apply(version) == first)
        .findFirst()
        .orElseThrow(
            () ->
                new SerializationException(
                    "%s has format %d; this release reads %s"
                        .formatted(
                            what,
                            first,
                            Arrays.stream(values())
                                .map(version -> begin.apply(version).toString())
                                .distinct()
                                .collect(Collectors.joining(", ")))));
  }
}
