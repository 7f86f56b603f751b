package dev.rondo.embedded;

/** A server that runs as a child process and listens on a port of 127.0.0.1. */
abstract class Server implements RunningProcess {
  final ChildProcess child;
  final int port;

  Server(ChildProcess child, int port) {
    this.child = child;
    this.port = port;
  }

  public int port() {
    return port;
  }

  @Override
  public ProcessHandle process() {
    return child.process();
  }

  @Override
  public void kill() {
    child.kill();
  }

  @Override
  public void close() {
    child.close();
  }
}
