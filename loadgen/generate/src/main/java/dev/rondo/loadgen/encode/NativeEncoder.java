package dev.rondo.loadgen.encode;

import dev.rondo.schemas.PointBatchWriter;

/** The native format: Avro {@code PointBatch}, idents delta-encoded. */
final class NativeEncoder implements Encoder {
  private final PointBatchWriter writer = new PointBatchWriter();
  private final SeriesTexts idents;

  NativeEncoder(Fleet fleet) {
    this.idents = fleet.idents();
  }

  @Override
  public void add(int series, long generation, long tMs, double value) {
    writer.add(idents.of(series, generation), tMs, value);
  }

  @Override
  public byte[] take() {
    return writer.take();
  }
}
