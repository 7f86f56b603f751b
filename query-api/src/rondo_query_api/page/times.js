/** Conversion between epoch seconds and wall-clock times in a zone. */

export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

const UNITS = { s: 1, min: 60, h: 3600, d: 86400, w: 604800, mon: 2592000, y: 31536000 };

/** Epoch of `now`, an epoch or `-<n><unit>`; null for Graphite's other forms, which only the server parses. */
export function epochOf(text, now) {
  if (text === 'now') return now;
  if (/^\d{9,}$/.test(text)) return Number(text);
  const [, count, unit] = /^-(\d+)(s|min|h|d|w|mon|y)$/.exec(text) ?? [];
  return unit ? now - count * UNITS[unit] : null;
}

/** Wall-clock time of the epoch in the zone, such as `2026-11-22T01:49:03`. */
export function wallTime(epoch, zone) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return format.format(new Date(epoch * 1000)).replace(' ', 'T');
}

/** Epoch of a wall-clock time in the zone; NaN if it is not a time. */
export function epochOfWallTime(wall, zone) {
  const shown = Date.parse(`${wall}Z`) / 1000;
  let epoch = shown;
  // The second round is for a zone whose offset changes between the first guess and the time.
  for (let look = 0; look < 2 && Number.isFinite(epoch); look++) {
    epoch += shown - Date.parse(`${wallTime(epoch, zone)}Z`) / 1000;
  }
  return epoch;
}

/** `UTC+1` at the epoch. */
export function offsetName(epoch, zone) {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
  const name = format.formatToParts(new Date(epoch * 1000)).find((part) => part.type === 'timeZoneName').value;
  return name.replace('GMT', 'UTC');
}

/** `10 s`, `5 min`, `1 h`. */
export function span(seconds) {
  const [unit, size] = Object.entries({ d: 86400, h: 3600, min: 60 }).find(([, size]) => seconds % size === 0) ?? ['s', 1];
  return `${seconds / size} ${unit}`;
}
