package dev.rondo.loadgen.encode;

import com.fasterxml.jackson.core.io.NumberOutput;
import dev.rondo.loadgen.plan.Names;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Influx line protocol. Consecutive points of a machine with the same time share a line of up to
 * ten fields, as Telegraf's inputs send them.
 *
 * <pre>
 *   head                  field   value  field   value   time                  end
 *   load.a7f3,host=m0‿    mem00=  60.8  ,mem01=  17.02  ‿1800000000270000000   \n
 * </pre>
 */
final class InfluxEncoder implements Encoder {
  private static final int MAX_FIELDS = 10;

  private final int metrics;
  private final SeriesTexts heads;
  private final SeriesTexts fields;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private int machine;
  private long generation;
  private long tMs;

  /** Fields in the current line; 0 = there is none. */
  private int count;

  InfluxEncoder(Fleet fleet) {
    this.metrics = fleet.metrics();
    this.heads =
        fleet.texts("%s,host=%s ".formatted(Names.measurement(fleet.run()), fleet.machine()));
    this.fields = fleet.texts(Names.metric() + "=");
  }

  @Override
  public void add(int series, long generation, long tMs, double value) {
    if (continuesLine(series / metrics, generation, tMs)) {
      lines.write(',');
    } else {
      endLine();
      lines.writeBytes(heads.of(series, generation));
      this.machine = series / metrics;
      this.generation = generation;
      this.tMs = tMs;
    }
    lines.writeBytes(fields.of(series, generation));
    write(NumberOutput.toString(value, true));
    count++;
  }

  private boolean continuesLine(int machine, long generation, long tMs) {
    return count > 0
        && count < MAX_FIELDS
        && machine == this.machine
        && generation == this.generation
        && tMs == this.tMs;
  }

  private void endLine() {
    if (count > 0) {
      write(" " + tMs + "000000\n");
      count = 0;
    }
  }

  private void write(String text) {
    lines.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public byte[] take() {
    endLine();
    byte[] record = lines.toByteArray();
    lines.reset();
    return record;
  }
}
