package dev.rondo.images;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Content and command of an image.
 *
 * @param title one line, for its labels
 * @param layers folders whose content is copied to /, the most stable first
 * @param entrypoint command without a shell
 * @param arguments that a user may replace
 * @param ports that it listens on
 */
record Part(
    String name,
    String title,
    List<String> layers,
    List<String> entrypoint,
    List<String> arguments,
    Map<String, String> environment,
    List<Integer> ports) {
  private static final String JAVA = "/opt/java/bin/java";
  private static final String LIB = "/opt/rondo/lib/";

  /** Locale of messages and file names of Java and Python, home, and time zone. */
  private static final Map<String, String> COMMON =
      Map.of("LANG", "C.UTF-8", "HOME", "/tmp", "TZ", "UTC");

  /** All images of a release. */
  static List<Part> all() {
    return List.of(
        ofRelease("topology", "topology", "topology", List.of(), List.of(8889)),
        ofRelease("tools", "tools", null, List.of("--help"), List.of()),
        new Part(
            "api",
            "query API",
            List.of("api-base", "api-packages", "api"),
            List.of(
                "/usr/bin/python3.11",
                "-m",
                "gunicorn",
                "-c",
                "/opt/rondo/api/gunicorn.conf.py",
                "rondo_query_api.app:create_app()"),
            List.of(),
            withCommon(
                Map.of(
                    "PYTHONPATH", "/opt/rondo/api/app:/opt/rondo/api/packages",
                    "PYTHONDONTWRITEBYTECODE", "1",
                    "PYTHONUNBUFFERED", "1",
                    "RONDO_API_BIND", "0.0.0.0:8888")),
            List.of(8888)),
        new Part(
            "connect",
            "Connect worker with the sink",
            List.of("java-base", "java", "connect-lib", "connect"),
            List.of(
                JAVA,
                "@/opt/rondo/connect/connect.options",
                "-cp",
                "/opt/rondo/connect/lib/*",
                "org.apache.kafka.connect.cli.ConnectDistributed"),
            List.of("/etc/rondo/connect.properties"),
            COMMON,
            List.of(8083)));
  }

  /** Returns a part of the release archive; topology and tools differ only in their command. */
  private static Part ofRelease(
      String name, String title, String command, List<String> arguments, List<Integer> ports) {
    var entrypoint =
        new ArrayList<>(
            List.of(JAVA, "@" + LIB + name + ".options", "-cp", LIB + "*", "dev.rondo.dist.Rondo"));
    if (command != null) {
      entrypoint.add(command);
    }
    return new Part(
        name,
        title,
        List.of("java-base", "java", "lib", "rondo"),
        entrypoint,
        arguments,
        COMMON,
        ports);
  }

  private static Map<String, String> withCommon(Map<String, String> more) {
    var all = new HashMap<>(COMMON);
    all.putAll(more);
    return all;
  }
}
