/** Numbers with few digits: 12.3, 4.56 k, 7.8 G. */

const PREFIXES = [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

export function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1e18 || (size > 0 && size < 1e-4)) return value.toExponential(2);
  const [factor, prefix] = PREFIXES.find(([factor]) => size >= factor) ?? [1, ''];
  const digits = Number((value / factor).toPrecision(size / factor >= 1000 ? 6 : 4));
  return prefix ? `${digits} ${prefix}` : String(digits);
}

/** `1,000 series`. */
export const counted = (series) => `${series.toLocaleString('en')} series`;
