package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files made by the whisper package; make.py beside them tells how. */
class WhisperFileTest {
  private static final Path FOLDER = Path.of("src/test/resources/dev/rondo/history/whisper");
  private static final long NOW_S = 1_700_000_005;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "average",
        "sum",
        "last",
        "max",
        "min",
        "avg_zero",
        "absmax",
        "absmin",
        "silence",
        "never"
      })
  void shouldReadWhatWhisperReads(String name) throws Exception {
    WhisperFile file = WhisperFile.read(bytes(name), NOW_S);

    Map<String, Double> read = new TreeMap<>();
    for (WhisperArchive archive : file.archives()) {
      long sinceS =
          NOW_S - archive.values().length * archive.stepS(); // Whisper reads no older ones
      for (int n = 0; n < archive.values().length; n++) {
        long startS = archive.firstS() + n * archive.stepS();
        if (startS > sinceS && !Double.isNaN(archive.at(startS))) {
          read.put(archive.stepS() + "," + startS, archive.at(startS));
        }
      }
    }
    assertThat(read).isEqualTo(expected(name));
    assertThat(file.method().key())
        .isEqualTo(name.length() == 5 || name.equals("silence") ? "average" : name);
  }

  private static Map<String, Double> expected(String name) throws IOException {
    Map<String, Double> expected = new TreeMap<>();
    for (String line : Files.readAllLines(FOLDER.resolve("expected.csv"), UTF_8)) {
      String[] cells = line.split(",", -1);
      if (cells[0].equals(name)) {
        expected.put(cells[1] + "," + cells[2], Double.valueOf(cells[3]));
      }
    }
    return expected;
  }

  @Test
  void shouldLeaveOutPointsOfOlderRoundsAndFromTheFuture() {
    assertThat(ring(40, 50, 20, 30)).containsExactly(20, 30, 40, 50);
    assertThat(ring(40, 50, 0, -10 + 40)).containsExactly(Double.NaN, 30, 40, 50);
    assertThat(ring(40, 50, 980, 30)).containsExactly(Double.NaN, 30, 40, 50); // not over
    assertThat(ring(40, 55, 20, 30)).containsExactly(Double.NaN, 20, 30, 40); // not a slot
    assertThat(ring(80, 50, 60, 30)).containsExactly(50, 60, Double.NaN, 80);
  }

  /** Values of four slots of 10 s, each the time of its point. */
  private static double[] ring(int... timesS) {
    ByteBuffer ring = ByteBuffer.allocate(timesS.length * WhisperArchive.POINT_BYTES);
    for (int timeS : timesS) {
      ring.putInt(timeS).putDouble(timeS);
    }
    return WhisperArchive.read(ring.flip(), 10, 200).values();
  }

  @ParameterizedTest
  @CsvSource({
    "0, it is empty",
    "15, 'it is cut off: 15 bytes, its header ends at byte 16'",
    "40, 'it is cut off: 40 bytes, its header ends at byte 52'",
    "459, 'it is cut off: 459 bytes, its archives end at byte 460'"
  })
  void shouldTellWhereAFileIsCutOff(int length, String reason) throws Exception {
    byte[] bytes = Arrays.copyOf(bytes("sum"), length);
    assertThatThrownBy(() -> WhisperFile.read(bytes, NOW_S)).hasMessage(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 9, aggregation method 9 is not within 1..8",
    "12, 0, it has no archive",
    "12, -1, 'it is cut off: 460 bytes, its header ends at byte 51539607556'",
    "16, 53, 'archive 0 of its header is wrong: 12 points of 10 s at byte 53'",
    "20, 0, 'archive 0 of its header is wrong: 12 points of 0 s at byte 52'",
    "32, 10, 'archive 1 of its header is wrong: 10 points of 10 s at byte 196'",
    "48, -1, 'it is cut off: 460 bytes, its archives end at byte 51539607856'"
  })
  void shouldTellWhatIsCorrupt(int at, int number, String reason) throws Exception {
    byte[] bytes = bytes("sum");
    ByteBuffer.wrap(bytes).putInt(at, number);
    assertThatThrownBy(() -> WhisperFile.read(bytes, NOW_S)).hasMessage(reason);
  }

  @Test
  void shouldReadHeaderAndNewestSlotAlone() throws Exception {
    var reader = new WhisperReader(Clock.fixed(Instant.ofEpochSecond(NOW_S), ZoneOffset.UTC));
    for (String name : List.of("average", "silence", "never")) {
      Path path = FOLDER.resolve(name + ".wsp");
      assertThat(reader.newestS(path)).isEqualTo(reader.read(path).newestS());
      assertThat(reader.header(path).spanS()).isEqualTo(3600);
    }
    assertThat(reader.newestS(FOLDER.resolve("never.wsp"))).isZero();
    assertThat(reader.newestS(FOLDER.resolve("average.wsp"))).isGreaterThan(NOW_S - 60);
    assertThatThrownBy(() -> reader.read(FOLDER.resolve("other.wsp"))).hasMessage("it was removed");
    assertThatThrownBy(() -> reader.read(FOLDER)).hasMessageContaining("Is a directory");
  }

  private static byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(FOLDER.resolve(name + ".wsp"));
  }
}
