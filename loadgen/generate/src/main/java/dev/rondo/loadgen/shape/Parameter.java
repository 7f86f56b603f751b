package dev.rondo.loadgen.shape;

/**
 * A number that a shape is made with.
 *
 * @param name in plans; as an option {@code --name-with-hyphens}
 * @param isWhole whether it must be a whole number
 */
public record Parameter(String name, double preset, double least, double most, boolean isWhole) {

  /** A part of all, 0..1. */
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

  /** The number if it is within its bounds, else an {@link IllegalArgumentException}. */
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
