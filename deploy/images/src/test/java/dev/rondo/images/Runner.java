package dev.rondo.images;

import dev.rondo.embedded.RunningProcess;
import java.util.List;

/** Starts the parts of a release. */
interface Runner {
  /** Command that runs {@code rondo ARGUMENT...}. */
  List<String> rondo(String... arguments);

  /** Command that runs the query API, with the variables RONDO_API_* of its environment. */
  List<String> api();

  /** Command that runs a distributed Connect worker; the name of its settings file is appended. */
  List<String> connect();

  /** Connect's {@code plugin.path}. */
  String plugins();

  /** A folder that the topology may write to. */
  String stateDir();

  /** Sends SIGKILL to the topology. */
  void kill(RunningProcess topology);
}
