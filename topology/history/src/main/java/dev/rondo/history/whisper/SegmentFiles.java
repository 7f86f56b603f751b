package dev.rondo.history.whisper;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.history.locations.Location;
import dev.rondo.topology.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The files whose series live, or have lived, in one segment. */
record SegmentFiles(Policy policy, int seg, List<Member> members) {
  /** Its name in the state of an import. */
  String key() {
    return policy.name() + "/" + seg;
  }

  /** Positions up to the last one in use. */
  int width() {
    return members.stream().mapToInt(member -> member.location().pos()).max().orElse(0);
  }

  /** Changes with what would be written: a file, a location, the archives. */
  String stateOfFiles(Path dir) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(policy.archives().toString().getBytes(UTF_8));
      for (Member member : members) {
        Location at = member.location();
        String where = "%d %d %d".formatted(at.pos(), at.sinceMs(), at.untilMs());
        digest.update(
            (member.file() + changed(dir.resolve(member.file())) + where).getBytes(UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each Java has it
    }
  }

  private static String changed(Path file) {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return " %s %d ".formatted(attributes.lastModifiedTime(), attributes.size());
    } catch (IOException e) {
      return " unreadable ";
    }
  }
}
