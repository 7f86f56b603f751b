package dev.rondo.loadgen;

import dev.rondo.loadgen.shape.Parameter;
import dev.rondo.loadgen.shape.ShapeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** An option for each parameter of a shape; shapes may share one. */
final class ShapeOptions {
  private final Map<String, OptionSpec> options = new LinkedHashMap<>();

  void addTo(CommandSpec command) {
    Map<String, List<ShapeKind>> kinds = new LinkedHashMap<>();
    for (ShapeKind kind : ShapeKind.values()) {
      for (Parameter parameter : kind.parameters()) {
        kinds.computeIfAbsent(parameter.name(), name -> new ArrayList<>()).add(kind);
      }
    }
    kinds.forEach(
        (name, users) -> {
          OptionSpec option = option(name, users);
          options.put(name, option);
          command.addOption(option);
        });
  }

  private static OptionSpec option(String name, List<ShapeKind> kinds) {
    Parameter first = parameter(kinds.get(0), name);
    StringBuilder defaults = new StringBuilder(preset(first));
    for (ShapeKind other : kinds.subList(1, kinds.size())) {
      defaults.append("; ").append(other).append(": ").append(preset(parameter(other, name)));
    }
    String users = kinds.stream().map(ShapeKind::label).collect(Collectors.joining(", "));
    return OptionSpec.builder(first.option())
        .type(Double.class)
        .paramLabel(first.unit())
        .description("%s: %s (default: %s).".formatted(users, first.about(), defaults))
        .build();
  }

  private static Parameter parameter(ShapeKind kind, String name) {
    return kind.parameters().stream()
        .filter(parameter -> parameter.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String preset(Parameter parameter) {
    return parameter.isWhole()
        ? Long.toString((long) parameter.preset())
        : Double.toString(parameter.preset());
  }

  /** All parameters of the shape. A parameter of another shape is an error. */
  Map<String, Number> of(ShapeKind kind) {
    Map<String, Double> given = new LinkedHashMap<>();
    options.forEach((name, option) -> given.put(name, option.getValue()));
    given.values().removeIf(number -> number == null);
    Map<String, Number> numbers = new LinkedHashMap<>();
    for (Parameter parameter : kind.parameters()) {
      Double number = given.remove(parameter.name());
      numbers.put(parameter.name(), parameter.check(number == null ? parameter.preset() : number));
    }
    if (!given.isEmpty()) {
      String name = given.keySet().iterator().next();
      throw new BadInputException(
          "the shape %s has no %s (%s, --shape)"
              .formatted(kind.label(), name, options.get(name).longestName()));
    }
    return numbers;
  }
}
