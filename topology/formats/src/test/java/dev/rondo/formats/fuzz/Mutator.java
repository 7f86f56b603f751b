package dev.rondo.formats.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes hostile records from samples: damaged, spliced, nested, repeated up to a megabyte. */
final class Mutator {
  private static final int LONGEST = 1_000_000;

  /** One record in this many is long. */
  private static final int LONG_ONE_IN = 2_000;

  private static final int MAX_CHANGES = 6;

  /** Bytes of lengths, counts, numbers and brackets. */
  private static final List<byte[]> PIECES =
      List.of(
          new byte[] {0},
          new byte[] {-1},
          new byte[] {-1, -1, -1, -1, 15},
          new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
          new byte[] {-2, -1, -1, -1, 15},
          new byte[] {0, 0, 0, 0, 1},
          new byte[] {(byte) 0xdd, 127, -1, -1, -1},
          text("{"),
          text("["),
          text("}"),
          text("]"),
          text(":"),
          text(","),
          text(";"),
          text("="),
          text("\""),
          text("\\"),
          text("\n"),
          text(" "),
          text("/"),
          text("."),
          text("nan"),
          text("1e999"),
          text("-9223372036854775808"),
          text("9".repeat(400)),
          text("\ud83d\ude00"),
          new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80});

  private final List<byte[]> samples;
  private final SplittableRandom random;

  Mutator(List<byte[]> samples, long seed) {
    this.samples = samples;
    this.random = new SplittableRandom(seed);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  byte[] next() {
    byte[] record = sample();
    int changes = random.nextBoolean() ? 1 : 1 + random.nextInt(MAX_CHANGES); // few stay readable
    for (int n = 0; n < changes; n++) {
      record = changed(record);
    }
    return random.nextInt(LONG_ONE_IN) == 0 ? lengthened(record) : record;
  }

  private byte[] sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  private byte[] changed(byte[] record) {
    int from = random.nextInt(record.length + 1);
    int to = from + random.nextInt(Math.min(record.length - from, 64) + 1);
    return switch (random.nextInt(8)) {
      case 0 -> flipped(record, from);
      case 1 -> with(record, from, to, PIECES.get(random.nextInt(PIECES.size())));
      case 2 -> with(record, from, from, PIECES.get(random.nextInt(PIECES.size())));
      case 3 -> with(record, from, to, new byte[0]);
      case 4 -> Arrays.copyOf(record, from);
      case 5 -> with(record, to, to, Arrays.copyOfRange(record, from, to));
      case 6 -> spliced(record, from);
      default -> with(record, from, from, repeated(record, from, to, 1 + random.nextInt(200)));
    };
  }

  private byte[] flipped(byte[] record, int at) {
    byte[] flipped = record.clone();
    if (at < flipped.length) {
      flipped[at] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  private byte[] spliced(byte[] record, int at) {
    byte[] other = sample();
    int from = random.nextInt(other.length + 1);
    return with(record, at, record.length, Arrays.copyOfRange(other, from, other.length));
  }

  /** Repeats a part until the record is long. */
  private byte[] lengthened(byte[] record) {
    int from = random.nextInt(record.length + 1);
    int to = from + random.nextInt(record.length - from + 1);
    byte[] part = from == to ? PIECES.get(random.nextInt(PIECES.size())) : null;
    int length = part == null ? to - from : part.length;
    int times = (LONGEST - record.length) / length;
    return part == null
        ? with(record, to, to, repeated(record, from, to, times))
        : with(record, from, from, repeated(part, 0, length, times));
  }

  private static byte[] repeated(byte[] record, int from, int to, int times) {
    ByteArrayOutputStream repeated = new ByteArrayOutputStream();
    for (int n = 0; n < times; n++) {
      repeated.write(record, from, to - from);
    }
    return repeated.toByteArray();
  }

  private static byte[] with(byte[] record, int from, int to, byte[] between) {
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    changed.write(record, 0, from);
    changed.writeBytes(between);
    changed.write(record, to, record.length - to);
    return changed.toByteArray();
  }
}
