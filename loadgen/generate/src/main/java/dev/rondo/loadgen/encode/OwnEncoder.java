package dev.rondo.loadgen.encode;

import dev.rondo.schemas.PointBatchWriter;

/** Rondo's own format, {@code rondo}: Avro, idents as differences. */
final class OwnEncoder implements Encoder {
  private final PointBatchWriter writer = new PointBatchWriter();
  private final SeriesTexts idents;

  OwnEncoder(Fleet fleet) {
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
