package dev.rondo.chaos.postgres;

import java.io.IOException;
import java.sql.SQLException;

/** A server that has the rows of PostgreSQL up to a time, and then takes its place. */
public interface Successor {
  /** Becomes the server of PostgreSQL's data folder; PostgreSQL is stopped. */
  void takeOver() throws IOException, InterruptedException, SQLException;
}
