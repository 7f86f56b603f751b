package dev.rondo.history.whisper;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A Whisper file: a {@link WhisperHeader}, and then the points of each archive.
 *
 * @param archives the finest first
 */
record WhisperFile(AggregationMethod method, List<WhisperArchive> archives) {
  WhisperFile {
    archives = List.copyOf(archives);
  }

  /**
   * Reads the bytes of a whole file.
   *
   * @param nowS slots that end later are left out, epoch s
   */
  static WhisperFile read(byte[] bytes, long nowS) throws UnreadableFileException {
    ByteBuffer file = ByteBuffer.wrap(bytes);
    WhisperHeader header = WhisperHeader.read(file, bytes.length);
    List<WhisperArchive> archives = new ArrayList<>();
    for (WhisperHeader.Place place : header.places()) {
      ByteBuffer ring = file.slice((int) place.offset(), (int) (place.end() - place.offset()));
      archives.add(WhisperArchive.read(ring, place.stepS(), nowS));
    }
    return new WhisperFile(header.method(), archives);
  }

  /** Start of the newest known slot of all archives, epoch s; 0: there is none. */
  long newestS() {
    return archives.stream()
        .filter(archive -> !archive.isEmpty())
        .mapToLong(WhisperArchive::newestS)
        .max()
        .orElse(0);
  }
}
