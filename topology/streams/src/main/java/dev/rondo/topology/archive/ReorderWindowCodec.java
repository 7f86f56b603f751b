package dev.rondo.topology.archive;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Serializes a {@link ReorderWindow}: the series with buffered points, each with its points. */
public final class ReorderWindowCodec {
  /** Bytes of a series without its points: its index and their number. */
  static final int SERIES_BYTES = 2 * Integer.BYTES;

  /** Bytes of a point: time and value. */
  static final int POINT_BYTES = Long.BYTES + Double.BYTES;

  private ReorderWindowCodec() {}

  public static void write(ReorderWindow window, DataOutput out) throws IOException {
    int count = 0;
    for (int series = 0; series < window.width(); series++) {
      count += window.points(series) == null ? 0 : 1;
    }
    out.writeInt(count);
    for (int series = 0; series < window.width(); series++) {
      if (window.points(series) != null) {
        writeSeries(series, window.points(series), out);
      }
    }
  }

  private static void writeSeries(int series, PointQueue points, DataOutput out)
      throws IOException {
    out.writeInt(series);
    out.writeInt(points.size());
    for (int n = 0; n < points.size(); n++) {
      out.writeLong(points.tMs(n));
      out.writeDouble(points.value(n));
    }
  }

  /** Reads the bytes of {@link #write} into an empty window that is wide enough. */
  public static void read(ReorderWindow window, DataInput in) throws IOException {
    int count = in.readInt();
    for (int k = 0; k < count; k++) {
      int series = in.readInt();
      int size = in.readInt();
      PointQueue points = new PointQueue();
      for (int n = 0; n < size; n++) {
        points.insert(n, in.readLong(), in.readDouble());
      }
      window.restore(series, points);
    }
  }
}
