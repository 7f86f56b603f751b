package dev.rondo.formats.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.FoundInRecord;
import dev.rondo.formats.Naming;
import dev.rondo.formats.RecordLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files made by {@code src/test/python/prometheus/write_request.py}. */
record WrittenByPython(Path folder) {
  /** Each record must hold the points that the script prints. */
  void check() throws IOException {
    List<String> points =
        Files.readAllLines(folder.resolve("points.txt")).stream()
            .map(WrittenByPython::point)
            .toList();
    assertThat(points).hasSizeGreaterThan(20);
    for (String form : List.of("plain", "snappy", "zstd")) {
      byte[] record = Files.readAllBytes(folder.resolve("write-request." + form));
      assertThat(PrometheusDecoder.recognises(record)).as(form).isTrue();
      FoundInRecord found =
          FoundInRecord.by(
              new PrometheusDecoder(new Naming(1024, 64), RecordLimits.DEFAULT), record);
      assertThat(found.points).as(form).isEqualTo(points);
      assertThat(found.drops).as(form).isEmpty();
    }
  }

  /** Formats the number as Java does. */
  private static String point(String line) {
    String[] fields = line.split(" ", -1);
    double value = fields[1].equals("nan") ? Double.NaN : Double.parseDouble(fields[1]);
    return fields[0] + " " + value + " " + fields[2];
  }
}
