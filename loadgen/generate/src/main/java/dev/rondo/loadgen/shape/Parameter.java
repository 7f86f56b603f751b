package dev.rondo.loadgen.shape;

/**
 * A numeric parameter of a shape.
 *
 * @param name as in plans; the option is {@code --name-with-hyphens}
 * @param isWhole whether the value must be a whole number
 * @param unit of the value, as help shows it
 * @param about what it is, for the help of the option
 */
public record Parameter(
    String name,
    double preset,
    double least,
    double most,
    boolean isWhole,
    String unit,
    String about) {

  /** A share, 0..1. */
  static Parameter share(String name, double preset, String about) {
    return new Parameter(name, preset, 0, 1, false, "SHARE", about);
  }

  static Parameter jitter(double preset) {
    return share("jitter", preset, "maximum delay, as a share of the interval between points");
  }

  static Parameter ticks(String name, double preset, String about) {
    return new Parameter(name, preset, 1, 1e12, true, "N", about);
  }

  static Parameter ms(String name, double preset, String about) {
    return new Parameter(name, preset, 1, 1e12, true, "MS", about);
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
