package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PointBatchWriterTest {
  private static final AvroSerde<PointBatch> SERDE =
      AvroSerde.of("PointBatch", PointBatch.getEncoder(), PointBatch::createDecoder);

  private final PointBatchWriter writer = new PointBatchWriter();

  /** Returns the points of a record as Avro reads them: {@code ident t value}. */
  private static List<String> read(byte[] record) {
    PointBatch batch = SERDE.deserializer().deserialize("points", record);
    List<String> points = new ArrayList<>();
    byte[] ident = {};
    for (BatchedPoint point : batch.getPoints()) {
      ByteBuffer next = ByteBuffer.allocate(1000).put(ident, 0, point.getHead());
      next.put(point.getMiddle()).put(ident, ident.length - point.getTail(), point.getTail());
      ident = Arrays.copyOf(next.array(), next.position());
      String text = new String(ident, StandardCharsets.UTF_8);
      points.add(text + " " + (batch.getT() + point.getDt()) + " " + point.getV());
    }
    return points;
  }

  @Test
  void shouldWriteTheGoldenRecord() throws IOException {
    for (Map<String, String> point : GoldenCsv.rows("point-batch.csv")) {
      writer.add(
          point.get("ident"),
          Long.parseLong(point.get("t_ms")),
          Double.parseDouble(point.get("value")));
    }
    byte[] record = writer.take();
    Files.createDirectories(Path.of("target/golden"));
    Files.write(Path.of("target/golden/point-batch.bin"), record);
    try (InputStream golden = getClass().getResourceAsStream("golden/point-batch.bin")) {
      assertThat(record).isEqualTo(golden.readAllBytes());
    }
  }

  @Test
  void shouldWriteTheSameBytesAsAvro() throws IOException {
    PointBatch batch =
        new PointBatch(
            1_700_000_000_000L,
            List.of(
                new BatchedPoint(0, 0, bytes("a.b;c=d"), 0L, 1.5),
                new BatchedPoint(2, 4, bytes("xx"), -7L, Double.NaN),
                new BatchedPoint(8, 0, bytes(""), 300L, -0.0),
                new BatchedPoint(4, 4, bytes("x"), 300L, 1.0)));
    writer.add("a.b;c=d", 1_700_000_000_000L, 1.5);
    writer.add("a.xx;c=d", 1_699_999_999_993L, Double.NaN);
    writer.add("a.xx;c=d", 1_700_000_000_300L, -0.0);
    writer.add("a.xxx;c=d", 1_700_000_000_300L, 1);
    assertThat(ByteBuffer.wrap(writer.take())).isEqualTo(PointBatch.getEncoder().encode(batch));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldWriteConsecutiveRecords() {
    Random random = new Random(1);
    for (int record = 0; record < 50; record++) {
      List<String> points = new ArrayList<>();
      int count = record == 7 ? 0 : random.nextInt(300);
      for (int n = 0; n < count; n++) {
        String ident = "größe.%d;host=web%03d".formatted(random.nextInt(3), random.nextInt(1000));
        long tMs = random.nextInt(10) == 0 ? -random.nextInt() : 1_700_000_000_000L + n;
        double value = random.nextGaussian();
        writer.add(ident, tMs, value);
        points.add(ident + " " + tMs + " " + value);
      }
      assertThat(writer.points()).isEqualTo(count);
      int bound = writer.bytes();
      byte[] bytes = writer.take();
      assertThat(read(bytes)).isEqualTo(points);
      assertThat(bytes).hasSizeLessThanOrEqualTo(bound).startsWith(PointBatchWriter.header());
    }
  }

  @Test
  void shouldEncodeManyPointsInFewBytes() {
    for (int core = 0; core < 100; core++) {
      String ident = "shop.cpu.core%02d.mean;dc=rack01;host=web00001".formatted(core);
      writer.add(ident, 1_700_000_000_000L, 1);
    }
    assertThat(writer.take().length / 100).isLessThan(15);
  }
}
