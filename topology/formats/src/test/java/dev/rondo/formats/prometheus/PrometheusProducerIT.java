package dev.rondo.formats.prometheus;

import dev.rondo.formats.PythonProducer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The current metrics of Prometheus' Python client, written as remote write by Google's protobuf.
 */
class PrometheusProducerIT {
  @TempDir Path folder;

  @Test
  void shouldReadMetricsOfThePythonClient() throws Exception {
    PythonProducer.assumePackages("prometheus_client", "google.protobuf", "cramjam");
    PythonProducer.run(
        "prometheus/write_request.py",
        folder.toString(),
        Long.toString(System.currentTimeMillis()));
    new WrittenByPython(folder).check();
  }
}
