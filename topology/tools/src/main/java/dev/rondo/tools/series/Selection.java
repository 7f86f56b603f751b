package dev.rondo.tools.series;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.command.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Which series a command is about: all that match its arguments. */
public final class Selection {
  private Selection() {}

  /**
   * The series of a pattern of untagged names, of a canonical ident with tags, or of tag
   * expressions, all of which must hold.
   *
   * @throws CommandException if the arguments have another form
   */
  public static Predicate<String> of(List<String> arguments) {
    if (arguments.size() == 1 && !TagExpression.isOne(arguments.get(0))) {
      Pattern names = NameGlob.compile(arguments.get(0));
      return ident -> ident.indexOf(';') < 0 && names.matcher(ident).matches();
    }
    if (arguments.size() == 1 && isIdent(arguments.get(0))) {
      return arguments.get(0)::equals;
    }
    List<TagExpression> expressions = new ArrayList<>();
    for (String argument : arguments) {
      if (!TagExpression.isOne(argument)) {
        throw CommandException.misuse(
            "'%s' is not a tag expression: give one PATTERN, or only expressions"
                .formatted(argument));
      }
      expressions.addAll(TagExpression.all(argument));
    }
    if (expressions.stream().noneMatch(TagExpression::asksForTag)) {
      throw CommandException.misuse(
          "at least one tag expression must require its tag: it must not match the empty value");
    }
    return ident -> {
      Ident parsed = Ident.parse(ident);
      return expressions.stream().allMatch(expression -> expression.test(parsed));
    };
  }

  private static boolean isIdent(String text) {
    int semicolon = text.indexOf(';');
    return semicolon > 0 && !text.startsWith("seriesByTag(") && text.indexOf('=') > semicolon;
  }
}
