package dev.rondo.history.whisper;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The header of a Whisper file. All numbers are big-endian:
 *
 * <pre>
 *   header         method 4 | longest retention s 4 | xff, a float 4 | archives 4
 *   each archive   offset 4 | step s 4 | points 4
 * </pre>
 *
 * @param places where the archives are, the finest first
 */
record WhisperHeader(AggregationMethod method, List<Place> places) {
  /** Of the header up to its archives, and of each of these. */
  private static final int BYTES = 16;

  private static final int ARCHIVE_BYTES = 12;

  WhisperHeader {
    places = List.copyOf(places);
  }

  /**
   * Where an archive is in the file.
   *
   * @param offset of its first point
   * @param stepS length of a slot, s
   */
  record Place(long offset, long stepS, long points) {
    long end() {
      return offset + points * WhisperArchive.POINT_BYTES;
    }

    long spanS() {
      return stepS * points;
    }
  }

  /**
   * Reads the header.
   *
   * @param begin the first bytes of the file
   * @param length of the file, bytes
   */
  static WhisperHeader read(ByteBuffer begin, long length) throws UnreadableFileException {
    if (length == 0) {
      throw new UnreadableFileException("it is empty");
    }
    require(Math.min(length, begin.limit()), BYTES, "its header ends");
    int number = begin.getInt(0);
    AggregationMethod method =
        AggregationMethod.of(number)
            .orElseThrow(
                () ->
                    new UnreadableFileException(
                        "aggregation method %d is not within 1..%d"
                            .formatted(number, AggregationMethod.values().length)));
    List<Place> places = places(begin, Math.min(length, begin.limit()));
    require(length, places.get(places.size() - 1).end(), "its archives end");
    return new WhisperHeader(method, places);
  }

  private static List<Place> places(ByteBuffer begin, long length) throws UnreadableFileException {
    long count = Integer.toUnsignedLong(begin.getInt(BYTES - 4));
    if (count == 0) {
      throw new UnreadableFileException("it has no archive");
    }
    long end = BYTES + count * ARCHIVE_BYTES;
    require(length, end, "its header ends");
    List<Place> places = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      int at = BYTES + n * ARCHIVE_BYTES;
      var place =
          new Place(
              Integer.toUnsignedLong(begin.getInt(at)),
              Integer.toUnsignedLong(begin.getInt(at + 4)),
              Integer.toUnsignedLong(begin.getInt(at + 8)));
      long finerS = n == 0 ? 0 : places.get(n - 1).stepS();
      if (place.offset() != end || place.stepS() <= finerS || place.points() == 0) {
        throw new UnreadableFileException(
            "archive %d of its header is wrong: %d points of %d s at byte %d"
                .formatted(n, place.points(), place.stepS(), place.offset()));
      }
      end = place.end();
      places.add(place);
    }
    return places;
  }

  private static void require(long length, long needed, String what)
      throws UnreadableFileException {
    if (length < needed) {
      throw new UnreadableFileException(
          "it is cut off: %d bytes, %s at byte %d".formatted(length, what, needed));
    }
  }

  /** Time that the archives reach back, s. */
  long spanS() {
    return places.stream().mapToLong(Place::spanS).max().orElseThrow();
  }
}
