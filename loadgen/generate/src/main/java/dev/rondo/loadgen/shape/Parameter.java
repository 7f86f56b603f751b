package dev.rondo.loadgen.shape;

/**
 * A numeric parameter of a shape.
 *
 * @param name as in plans; the option is {@code --name-with-hyphens}
 * @param isWhole whether the value must be a whole number
 */
public record Parameter(String name, double preset, double least, double most, boolean isWhole) {

  /** A share, 0..1. */
  static Parameter share(String name, double preset) {
    return new Parameter(name, preset, 0, 1, false);
  }

  /** A number of ticks or milliseconds. */
  static Parameter whole(String name, double preset) {
    return new Parameter(name, preset, 1, 1e12, true);
  }

  public String option() {
    return "--" + name.replace('_', '-');
  }

  /** Returns the number if it is within bounds, else throws {@link IllegalArgumentException}. */
  public Number check(double number) {
    if (!(number >= least && number <= most) || (isWhole && number != Math.rint(number))) {
      throw new IllegalArgumentException(
          isWhole
              ? "%s is not a whole number from 1 to 10^12 (%s)".formatted(number, option())
              : "%s is not between %s and %s (%s)".formatted(number, least, most, option()));
    }
    if (isWhole) {
      return (long) number;
    }
    return number;
  }
}
