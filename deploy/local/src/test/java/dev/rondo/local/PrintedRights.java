package dev.rondo.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Reads the commands that {@code ./rondo acls} prints. */
public final class PrintedRights {
  private static final Pattern USER = Pattern.compile("--allow-principal '(.*?)'");
  private static final Pattern OPERATION = Pattern.compile("--operation (\\w+)");
  private static final Pattern RESOURCE =
      Pattern.compile(
          "--(topic|group|transactional-id) '(.*?)' --resource-pattern-type (literal|prefixed)");

  private PrintedRights() {}

  /**
   * Returns the rights that the printed commands grant.
   *
   * @param principals options of the command, such as {@code --principal-topology=USER}
   */
  public static List<AclBinding> of(RondoScript rondo, List<String> principals)
      throws IOException, InterruptedException {
    var printed = rondo.run("acls", principals.toArray(String[]::new));
    assertThat(printed.exitCode()).as(printed.output()).isZero();
    List<AclBinding> bindings = new ArrayList<>();
    for (String command : printed.output().lines().filter(line -> !line.startsWith("#")).toList()) {
      MatchResult resource = RESOURCE.matcher(command).results().findFirst().orElseThrow();
      String type = resource.group(1).toUpperCase(Locale.ROOT).replace('-', '_');
      String pattern = resource.group(3).toUpperCase(Locale.ROOT);
      String user = USER.matcher(command).results().findFirst().orElseThrow().group(1);
      for (MatchResult operation : OPERATION.matcher(command).results().toList()) {
        bindings.add(
            new AclBinding(
                new ResourcePattern(
                    ResourceType.valueOf(type), resource.group(2), PatternType.valueOf(pattern)),
                new AccessControlEntry(
                    user, "*", operation(operation.group(1)), AclPermissionType.ALLOW)));
      }
    }
    return bindings;
  }

  /** Converts {@code DescribeConfigs} to {@code DESCRIBE_CONFIGS}. */
  private static AclOperation operation(String name) {
    return AclOperation.fromString(name.replaceAll("(?<=[a-z])(?=[A-Z])", "_"));
  }
}
