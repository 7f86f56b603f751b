package dev.rondo.loadgen.encode;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Metrictank: a msgpack array of MetricData after a header: one byte for the encoding, eight for a
 * time that no reader uses. Timestamps are whole seconds.
 */
final class MetrictankEncoder implements Encoder {
  private static final byte MSGPACK_ARRAY = 1;
  private static final int HEADER_BYTES = 9;
  private static final int FIELDS = 10;
  private static final int INTERVAL_S = 10;

  private final Template name;
  private final Template host;
  private final int metrics;
  private final MessageBufferPacker elements = MessagePack.newDefaultBufferPacker();
  private int points;

  MetrictankEncoder(Fleet fleet) {
    this.name = new Template(Names.measurement(fleet.run()) + "." + Names.metric());
    this.host = new Template("host=" + fleet.machine());
    this.metrics = fleet.metrics();
  }

  @Override
  public void add(int series, long generation, long tMs, double value) {
    int machine = series / metrics;
    int metric = series % metrics;
    try {
      write(text(name.fill(machine, metric, generation)), text(host.fill(machine, 0, generation)));
      elements.packString("Value").packDouble(value);
      elements.packString("Time").packLong(tMs / 1000);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the buffer is in memory
    }
    points++;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Writes the fields that identify the series. */
  private void write(String name, String tag) throws IOException {
    elements.packMapHeader(FIELDS);
    elements.packString("Id").packString("");
    elements.packString("OrgId").packInt(1);
    elements.packString("Name").packString(name);
    elements.packString("Metric").packString(name);
    elements.packString("Interval").packInt(INTERVAL_S);
    elements.packString("Unit").packString("unknown");
    elements.packString("Mtype").packString("gauge");
    elements.packString("Tags").packArrayHeader(1).packString(tag);
  }

  @Override
  public byte[] take() {
    try (MessageBufferPacker record = MessagePack.newDefaultBufferPacker()) {
      byte[] header = new byte[HEADER_BYTES];
      header[0] = MSGPACK_ARRAY;
      record.addPayload(header);
      record.packArrayHeader(points);
      record.addPayload(elements.toByteArray());
      return record.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the buffer is in memory
    } finally {
      elements.clear();
      points = 0;
    }
  }
}
