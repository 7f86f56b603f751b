package dev.rondo.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The user that runs PostgreSQL, which rejects root: root runs it as {@code postgres} if that user
 * exists, otherwise as {@code nobody}; other users run it as themselves.
 *
 * @param user null: the user of this process
 */
record RunAs(String user) {
  private static final List<String> CANDIDATES = List.of("postgres", "nobody");
  private static final String ROOT = "root";
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

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
          "PostgreSQL does not run as root, and none of these users exists: " + CANDIDATES);
    }
    return new RunAs(user);
  }

  static boolean isRoot() {
    return Commands.run(List.of("id", "-u")).equals("0");
  }

  /**
   * Returns the command line that runs {@code command} as this user, without any capability, and
   * lets the user reach {@code paths}.
   */
  List<String> command(List<String> command, List<Path> paths) {
    if (user == null) {
      return command;
    }
    paths.forEach(this::grantAccess);
    var whole = new ArrayList<String>();
    whole.add("setpriv");
    whole.add("--reuid=" + id("-u", user));
    whole.add("--regid=" + id("-g", user));
    whole.add("--clear-groups");
    whole.add("--inh-caps=-all");
    whole.add("--bounding-set=-all");
    whole.add("--no-new-privs");
    whole.addAll(command);
    return whole;
  }

  /**
   * Lets the group of this user pass through the parents of {@code path}: folders of root alone,
   * such as temporary ones, become 0710. Root's home, and folders of other users, remain unchanged.
   */
  private void grantAccess(Path path) {
    try {
      for (Path folder = path.toRealPath().getParent();
          folder != null;
          folder = folder.getParent()) {
        var attributes = Files.readAttributes(folder, PosixFileAttributes.class);
        if (mayPass(attributes)) {
          continue;
        }
        if (home().startsWith(folder) || !isOfRootOnly(attributes)) {
          throw new IllegalStateException(
              ("PostgreSQL cannot run as root and runs as the user %s, which may not enter %s: choose another"
                      + " data folder, such as --dir=/var/lib/rondo")
                  .formatted(user, folder));
        }
        Files.getFileAttributeView(folder, PosixFileAttributeView.class).setGroup(group());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x---"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not let the user " + user + " reach " + path, e);
    }
  }

  /** Whether this user can reach {@code path}, if necessary through root's home. */
  boolean mayReach(Path path) throws IOException {
    return user == null
        || !path.getParent().toRealPath().startsWith(home())
        || mayPass(Files.readAttributes(home(), PosixFileAttributes.class));
  }

  private static Path home() throws IOException {
    return Path.of(System.getProperty("user.home")).toRealPath();
  }

  /** Whether only root and root's group have rights. */
  private static boolean isOfRootOnly(PosixFileAttributes folder) {
    return folder.owner().getName().equals(ROOT)
        && (folder.group().getName().equals(ROOT) || folder.permissions().equals(PRIVATE));
  }

  private boolean mayPass(PosixFileAttributes folder) throws IOException {
    var permissions = folder.permissions();
    return permissions.contains(PosixFilePermission.OTHERS_EXECUTE)
        || folder.owner().getName().equals(user)
        || (permissions.contains(PosixFilePermission.GROUP_EXECUTE)
            && folder.group().equals(group()));
  }

  private GroupPrincipal group() throws IOException {
    return FileSystems.getDefault()
        .getUserPrincipalLookupService()
        .lookupPrincipalByGroupName(id("-gn", user));
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
}
