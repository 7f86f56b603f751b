package dev.rondo.rows;

/** How slots are written where the table has some. */
public enum WriteMode {
  /** Only unknown values are written: a known one stays. */
  FILL("rondo_merge(excluded.dp, ts.dp)") {
    @Override
    public double merged(double stored, double given) {
      return Double.isNaN(stored) ? given : stored;
    }
  },

  /** What is given replaces what is stored; a value that is not given stays. */
  OVERWRITE("rondo_merge(ts.dp, excluded.dp)") {
    @Override
    public double merged(double stored, double given) {
      return Double.isNaN(given) ? stored : given;
    }
  };

  /** The same of the arrays of a row that an insert conflicts with, in SQL. */
  final String sql;

  WriteMode(String sql) {
    this.sql = sql;
  }

  /** The value of a slot; NaN is unknown, or not given. */
  public abstract double merged(double stored, double given);
}
