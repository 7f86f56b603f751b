package dev.rondo.bench.peers;

import java.util.Map;

/**
 * What a store costs, and how fast it answers.
 *
 * @param store its name
 * @param pointsPerSecond taken in
 * @param isSustained whether it kept up with the generator
 * @param cpuSeconds per million points, by part, without the generator
 * @param generatorCpuSeconds per million points
 * @param residentMb of all parts, at the end of the load
 * @param writtenBytes to disk, per point
 * @param valueBytes on disk, per stored value with its index
 * @param seriesBytes on disk, per series: its name, and the index to find it
 * @param readableP50Ms until a value is readable
 * @param questionMs p50 of each question
 * @param verified result of {@code ./rondo verify}; null if not run
 */
record Figures(
    String store,
    double pointsPerSecond,
    boolean isSustained,
    Map<String, Double> cpuSeconds,
    double generatorCpuSeconds,
    long residentMb,
    double writtenBytes,
    double valueBytes,
    double seriesBytes,
    double readableP50Ms,
    double readableP99Ms,
    Map<String, Double> questionMs,
    String verified) {

  /** CPU seconds per million points of all parts. */
  double cpu() {
    return cpuSeconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
