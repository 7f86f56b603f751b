package dev.rondo.chart;

import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * Renders the chart deploy/helm/rondo with Helm for the value sets in deploy/helm/values.
 *
 * <p>Helm's library renders no hooks, so it gets a copy of the chart in which hooks are renamed to
 * ordinary objects.
 */
final class Chart {
  static final Path HELM = Path.of(System.getProperty("rondo.root"), "deploy/helm");
  static final String NAMESPACE = "metrics";
  private static final String KUBERNETES = "1.31.0";
  private static final String HOOK = "helm.sh/hook";
  private static final String RENAMED = "renamed/hook";

  private final Path source;

  /** Creates an unmodified chart, a folder or an archive, whose hooks are not rendered. */
  Chart(Path source) {
    this.source = source;
  }

  /** Creates a copy with hooks, in a new folder. */
  static Chart withHooks(Path copy) {
    eachFile(
        HELM.resolve("rondo"),
        file -> {
          Path target = copy.resolve(HELM.resolve("rondo").relativize(file));
          Files.createDirectories(target.getParent());
          Files.writeString(target, Files.readString(file).replace(HOOK, RENAMED));
        });
    return new Chart(copy);
  }

  static List<String> valueSets() throws IOException {
    try (Stream<Path> files = Files.list(HELM.resolve("values"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".yaml", ""))
          .sorted()
          .toList();
    }
  }

  /**
   * Renders all objects.
   *
   * @param changes values by path, as in {@code helm --set}
   */
  String render(String valueSet, Map<String, ?> changes) {
    TemplateCommand command =
        new Helm(source)
            .template()
            .withName("rondo")
            .withNamespace(NAMESPACE)
            .withKubeVersion(KUBERNETES)
            .withValuesFile(values(valueSet));
    changes.forEach(command::set);
    return command.call().replace(RENAMED, HOOK);
  }

  /** Returns the output of an installation. */
  String notes(String valueSet) {
    InstallCommand command =
        new Helm(source)
            .install()
            .withName("rondo")
            .withNamespace(NAMESPACE)
            .withKubeVersion(KUBERNETES)
            .withValuesFile(values(valueSet))
            .withDryRunOption(DryRun.CLIENT)
            .dryRun()
            .clientOnly();
    return command.call().getOutput().replaceFirst("(?s).*\nNOTES:\n", "");
  }

  /** {@code helm lint --strict}, which takes values only from the chart. */
  LintResult lint(String valueSet) throws IOException {
    Yaml yaml = new Yaml();
    Map<String, Object> all = yaml.load(Files.readString(HELM.resolve("rondo/values.yaml")));
    merge(all, yaml.load(Files.readString(values(valueSet))));
    Files.writeString(source.resolve("values.yaml"), yaml.dump(all));
    return new Helm(source).lint().strict().call();
  }

  private static Path values(String valueSet) {
    return HELM.resolve("values").resolve(valueSet + ".yaml");
  }

  @SuppressWarnings("unchecked")
  private static void merge(Map<String, Object> into, Map<String, Object> from) {
    from.forEach(
        (key, value) -> {
          if (value instanceof Map && into.get(key) instanceof Map) {
            merge((Map<String, Object>) into.get(key), (Map<String, Object>) value);
          } else {
            into.put(key, value);
          }
        });
  }

  private interface FileAction {
    void accept(Path file) throws IOException;
  }

  private static void eachFile(Path folder, FileAction action) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        action.accept(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
