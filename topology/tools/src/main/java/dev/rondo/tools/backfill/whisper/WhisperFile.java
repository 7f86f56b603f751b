package dev.rondo.tools.backfill.whisper;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A Whisper file. All numbers are big-endian:
 *
 * <pre>
 *   header         method 4 | longest retention s 4 | xff, a float 4 | archives 4
 *   each archive   offset 4 | step s 4 | points 4
 *   each point     time s 4 | value, a double 8
 * </pre>
 *
 * @param archives the finest first
 */
record WhisperFile(AggregationMethod method, List<WhisperArchive> archives) {
  private static final int HEADER_BYTES = 16;
  private static final int ARCHIVE_BYTES = 12;

  WhisperFile {
    archives = List.copyOf(archives);
  }

  /**
   * Where an archive is in the file.
   *
   * @param offset of its first point
   * @param stepS length of a slot, s
   */
  private record Place(long offset, long stepS, long points) {
    long end() {
      return offset + points * WhisperArchive.POINT_BYTES;
    }
  }

  /**
   * Reads the bytes of a whole file.
   *
   * @param nowS slots that end later are left out
   */
  static WhisperFile read(byte[] bytes, long nowS) throws UnreadableFileException {
    ByteBuffer file = ByteBuffer.wrap(bytes);
    if (bytes.length == 0) {
      throw new UnreadableFileException("it is empty");
    }
    require(bytes.length, HEADER_BYTES, "its header");
    int number = file.getInt(0);
    AggregationMethod method =
        AggregationMethod.of(number)
            .orElseThrow(
                () ->
                    new UnreadableFileException(
                        "aggregation method %d is not within 1..%d"
                            .formatted(number, AggregationMethod.values().length)));
    List<Place> places = places(file, bytes.length);
    require(bytes.length, places.get(places.size() - 1).end(), "its archives");
    List<WhisperArchive> archives = new ArrayList<>();
    for (Place place : places) {
      ByteBuffer ring =
          file.slice((int) place.offset(), (int) (place.points() * WhisperArchive.POINT_BYTES));
      archives.add(WhisperArchive.read(ring, place.stepS(), nowS));
    }
    return new WhisperFile(method, archives);
  }

  private static List<Place> places(ByteBuffer file, int length) throws UnreadableFileException {
    long count = Integer.toUnsignedLong(file.getInt(HEADER_BYTES - 4));
    if (count == 0) {
      throw new UnreadableFileException("it has no archive");
    }
    require(length, HEADER_BYTES + count * ARCHIVE_BYTES, "its header");
    List<Place> places = new ArrayList<>();
    long begin = HEADER_BYTES + count * ARCHIVE_BYTES;
    for (int n = 0; n < count; n++) {
      int at = HEADER_BYTES + n * ARCHIVE_BYTES;
      var place =
          new Place(
              Integer.toUnsignedLong(file.getInt(at)),
              Integer.toUnsignedLong(file.getInt(at + 4)),
              Integer.toUnsignedLong(file.getInt(at + 8)));
      long finerS = n == 0 ? 0 : places.get(n - 1).stepS();
      if (place.offset() != begin || place.stepS() <= finerS || place.points() == 0) {
        throw new UnreadableFileException(
            "archive %d of its header is wrong: %d points of %d s at byte %d"
                .formatted(n, place.points(), place.stepS(), place.offset()));
      }
      begin = place.end();
      places.add(place);
    }
    return places;
  }

  private static void require(long length, long needed, String what)
      throws UnreadableFileException {
    if (length < needed) {
      throw new UnreadableFileException(
          "it is cut off: %d bytes, %s ends at byte %d".formatted(length, what, needed));
    }
  }

  /** Start of the newest known slot of all archives, epoch s; 0: there is none. */
  long newestS() {
    return archives.stream()
        .filter(archive -> !archive.isEmpty())
        .mapToLong(WhisperArchive::newestS)
        .max()
        .orElse(0);
  }

  /** Start of the oldest known slot of all archives, epoch s; 0: there is none. */
  long oldestS() {
    long oldestS = Long.MAX_VALUE;
    for (WhisperArchive archive : archives) {
      int n = 0;
      while (n < archive.values().length && Double.isNaN(archive.values()[n])) {
        n++;
      }
      if (n < archive.values().length) {
        oldestS = Math.min(oldestS, archive.firstS() + n * archive.stepS());
      }
    }
    return oldestS == Long.MAX_VALUE ? 0 : oldestS;
  }
}
