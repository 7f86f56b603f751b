package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The user that PostgreSQL runs as. It rejects root, so root runs it as {@code postgres} if that
 * user exists, else as {@code nobody}; other users run it as themselves.
 *
 * @param user null: the user of this process
 */
record RunAs(String user) {
  private static final List<String> CANDIDATES = List.of("postgres", "nobody");

  static RunAs current() {
    if (!isRoot()) {
      return new RunAs(null);
    }
    if (!Commands.exists("setpriv")) {
      throw new IllegalStateException(
          "PostgreSQL does not run as root, and setpriv (package util-linux), which starts it as"
              + " another user, is not on the PATH; install it or run as another user");
    }
    String user = CANDIDATES.stream().filter(RunAs::exists).findFirst().orElse(null);
    if (user == null) {
      throw new IllegalStateException(
          "PostgreSQL does not run as root, and there is none of the users " + CANDIDATES);
    }
    return new RunAs(user);
  }

  static boolean isRoot() {
    return Commands.run(List.of("id", "-u")).equals("0");
  }

  /**
   * Returns the command line that runs {@code command} as this user. If one of {@code paths} is
   * below a folder that the user may not enter (such as /root), the process may bypass folder
   * permissions.
   */
  List<String> command(List<String> command, List<Path> paths) {
    if (user == null) {
      return command;
    }
    var whole = new ArrayList<String>();
    whole.add("setpriv");
    whole.add("--reuid=" + id("-u", user));
    whole.add("--regid=" + id("-g", user));
    whole.add("--clear-groups");
    if (!paths.stream().allMatch(RunAs::canBeReachedByAll)) {
      whole.add("--inh-caps=+dac_override");
      whole.add("--ambient-caps=+dac_override");
    }
    whole.addAll(command);
    return whole;
  }

  /** Makes this user the owner of the folder and its content. */
  void own(Path folder) {
    if (user == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      var principal =
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
      if (Files.getOwner(folder).equals(principal)) {
        return;
      }
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.setOwner(file, principal);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not give " + folder + " to the user " + user, e);
    }
  }

  private static boolean exists(String user) {
    try {
      id("-u", user);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static String id(String option, String user) {
    return Commands.run(List.of("id", option, user));
  }

  private static boolean canBeReachedByAll(Path path) {
    try {
      for (Path folder = path.toRealPath().getParent();
          folder != null;
          folder = folder.getParent()) {
        if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
