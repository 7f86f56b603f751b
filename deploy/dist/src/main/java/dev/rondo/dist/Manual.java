package dev.rondo.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.connection.command.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Writes the manual pages of a release, and the completion of its commands for bash and zsh. */
public final class Manual {
  private Manual() {}

  /**
   * Writes manual pages and completions.
   *
   * @param arguments the folder, such as /usr/share
   */
  public static void main(String[] arguments) throws IOException {
    Path share = Path.of(arguments[0]);
    CommandLine program = Root.ofRelease();
    Path completions = Files.createDirectories(share.resolve("bash-completion/completions"));
    Files.writeString(
        completions.resolve(CommandLines.PROGRAM),
        AutoComplete.bash(CommandLines.PROGRAM, program),
        UTF_8);
    writePages(Files.createDirectories(share.resolve("man/man1")), program);
  }

  private static void writePages(Path folder, CommandLine command) throws IOException {
    String name = command.getCommandSpec().qualifiedName("-");
    Files.writeString(folder.resolve(name + ".1"), page(name, command), UTF_8);
    for (CommandLine each : command.getSubcommands().values()) {
      writePages(folder, each);
    }
  }

  /** Returns a page in the language of man(7). */
  static String page(String name, CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    var page = new StringBuilder(".TH %s 1 \"\" Rondo\n".formatted(name.toUpperCase(Locale.ROOT)));
    page.append(".SH NAME\n%s \\- %s\n".formatted(name, text(usage.description()[0])));
    page.append(".SH SYNOPSIS\n.nf\n%s.fi\n".formatted(text(command.getHelp().synopsis(0))));
    page.append(".SH DESCRIPTION\n").append(paragraphs(usage.description()));
    Stream<ArgSpec> all =
        Stream.concat(
            command.getCommandSpec().positionalParameters().stream(),
            command.getCommandSpec().options().stream());
    String arguments = all.map(Manual::argument).collect(Collectors.joining());
    page.append(arguments.isEmpty() ? "" : ".SH OPTIONS\n" + arguments);
    String commands =
        command.getSubcommands().entrySet().stream()
            .map(each -> item(each.getKey(), summary(each.getValue())))
            .collect(Collectors.joining());
    page.append(commands.isEmpty() ? "" : ".SH COMMANDS\n" + commands);
    String notes = paragraphs(usage.footer());
    return page.append(notes.isEmpty() ? "" : ".SH NOTES\n" + notes).toString();
  }

  private static String summary(CommandLine command) {
    return command.getCommandSpec().usageMessage().description()[0];
  }

  private static String argument(ArgSpec argument) {
    String name =
        argument instanceof OptionSpec option
            ? option.longestName() + (option.arity().max() == 0 ? "" : "=")
            : "";
    String label = argument.arity().max() == 0 ? "" : argument.paramLabel();
    return item(name + label, String.join(" ", argument.description()));
  }

  private static String item(String term, String description) {
    return ".TP\n\\fB%s\\fR\n%s\n".formatted(text(term), text(description));
  }

  /** Formats paragraphs separated by empty lines; indented lines remain unchanged. */
  private static String paragraphs(String[] lines) {
    return Stream.of(lines)
        .map(
            line ->
                line.isEmpty()
                    ? ".PP\n"
                    : line.startsWith(" ")
                        ? ".nf\n%s\n.fi\n".formatted(text(line))
                        : text(line) + "\n")
        .collect(Collectors.joining());
  }

  /** Escapes text for troff. */
  private static String text(String plain) {
    return plain
        .replace("./rondo", CommandLines.PROGRAM)
        .replace("\\", "\\e")
        .replace("-", "\\-")
        .replaceAll("(?m)^([.'])", "\\\\&$1");
  }
}
