package dev.rondo.bench.postgres;

/**
 * Cost of writing rows.
 *
 * @param rows rows written
 * @param values positions written, known or not
 * @param seconds time in put
 * @param clientCpuSeconds CPU time of this JVM in put
 * @param serverCpuSeconds CPU time of all server processes; NaN if they are not visible
 * @param walBytes WAL of the whole server
 * @param updates updated rows, of which {@code hotUpdates} were heap-only (HOT)
 */
record Cost(
    long rows,
    long values,
    double seconds,
    double clientCpuSeconds,
    double serverCpuSeconds,
    long walBytes,
    long updates,
    long hotUpdates) {
  static final Cost NONE = new Cost(0, 0, 0, 0, 0, 0, 0, 0);

  Cost plus(Cost other) {
    return new Cost(
        rows + other.rows,
        values + other.values,
        seconds + other.seconds,
        clientCpuSeconds + other.clientCpuSeconds,
        serverCpuSeconds + other.serverCpuSeconds,
        walBytes + other.walBytes,
        updates + other.updates,
        hotUpdates + other.hotUpdates);
  }

  /** Share of HOT updates; NaN without updates. */
  double hotShare() {
    return updates == 0 ? Double.NaN : (double) hotUpdates / updates;
  }
}
