package dev.rondo.tools.size;

/**
 * What a source adds to a deployment, by the costs of {@link Sizing}, without the parts' cost when
 * idle.
 *
 * @param cores of the topology, the brokers, Connect and PostgreSQL together
 * @param rowsPerSecond that the sink writes, if rows are full
 * @param diskBytes in PostgreSQL when all archives are full
 */
public record SourceCost(double cores, double rowsPerSecond, double diskBytes) {
  public static final SourceCost NONE = new SourceCost(0, 0, 0);

  /** Of a source with these series. */
  public static SourceCost of(Deployment deployment) {
    Sizing sizing = Sizing.of(deployment, 1);
    double idle =
        Coefficients.TOPOLOGY_IDLE_CORES
            + Coefficients.BROKER_IDLE_CORES
                * (1 + Coefficients.FOLLOWER_SHARE * (deployment.replication() - 1))
            + Coefficients.CONNECT_IDLE_CORES;
    double cores =
        sizing.topology().cores()
            + sizing.broker().cores()
            + sizing.connect().cores()
            + sizing.postgres().cores();
    return new SourceCost(
        Math.max(0, cores - idle),
        sizing.postgres().rowsPerSecond(),
        sizing.postgres().diskBytes());
  }

  /** The sum of both. */
  public SourceCost plus(SourceCost other) {
    return new SourceCost(
        cores + other.cores, rowsPerSecond + other.rowsPerSecond, diskBytes + other.diskBytes);
  }
}
