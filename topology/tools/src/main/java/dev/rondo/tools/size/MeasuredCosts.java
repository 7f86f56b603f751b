package dev.rondo.tools.size;

import dev.rondo.topology.settings.YamlFile;
import dev.rondo.topology.settings.YamlMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file {@code coefficients.yaml}: the costs, and how sure they are.
 *
 * @param machine that all costs were measured on
 * @param costs by name, the assumed ones too
 * @param measured which command measured some of them, and when
 * @param checked command that compared predictions with what it measured
 * @param errors percent by which a prediction was off, at most, by what was predicted
 */
record MeasuredCosts(
    String machine,
    Map<String, Double> costs,
    List<Run> measured,
    Run checked,
    Map<String, Double> errors) {
  private static final String FILE = "coefficients.yaml";

  /** A run of a benchmark. */
  record Run(String command, String date) {
    private static Run of(YamlMap node) {
      return new Run(node.text("command"), node.text("date"));
    }
  }

  static MeasuredCosts read() {
    YamlMap root = YamlFile.parse(text(), "measured");
    var costs = new LinkedHashMap<String, Double>();
    var measured = new ArrayList<Run>();
    for (Object item : root.list("measured")) {
      var node = new YamlMap(item, "measured");
      measured.add(Run.of(node));
      costs.putAll(numbers(node, "costs"));
    }
    costs.putAll(numbers(root, "assumed"));
    var checked = new YamlMap(root.get("checked"), "checked");
    return new MeasuredCosts(
        root.text("machine"),
        Map.copyOf(costs),
        List.copyOf(measured),
        Run.of(checked),
        numbers(checked, "percent"));
  }

  /** A cost; throws {@link IllegalArgumentException} if the file has none of that name. */
  double cost(String name) {
    Double cost = costs.get(name);
    if (cost == null) {
      throw new IllegalArgumentException(FILE + " has no cost '" + name + "'");
    }
    return cost;
  }

  private static Map<String, Double> numbers(YamlMap parent, String key) {
    var node = new YamlMap(parent.get(key), key);
    var numbers = new LinkedHashMap<String, Double>();
    node.keys().forEach(each -> numbers.put(each, Double.parseDouble(node.text(each))));
    return Collections.unmodifiableMap(numbers);
  }

  private static String text() {
    try (InputStream in = MeasuredCosts.class.getResourceAsStream(FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
