package dev.rondo.local;

/** Supervisors of other data folders on this machine. */
final class OtherRondo {
  private OtherRondo() {}

  static boolean runs() {
    long own = ProcessHandle.current().pid();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != own)
        .anyMatch(
            process ->
                process.info().commandLine().orElse("").contains(Rondo.class.getName() + " up"));
  }
}
