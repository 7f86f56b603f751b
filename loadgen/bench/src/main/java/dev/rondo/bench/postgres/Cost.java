package dev.rondo.bench.postgres;

/**
 * What rows cost.
 *
 * @param rows written
 * @param values positions of them that came, known or not
 * @param seconds within put
 * @param clientCpuSeconds of this JVM within put
 * @param serverCpuSeconds of all processes of the server; NaN where they cannot be seen
 * @param walBytes of the whole server
 * @param updates of rows, of which {@code hotUpdates} stayed in their page and touched no index
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

  /** NaN where nothing was updated. */
  double hotShare() {
    return updates == 0 ? Double.NaN : (double) hotUpdates / updates;
  }
}
