/** Elements that the parts of the status page share: marks of states, ages, commands, links to the documentation. */

import { h } from './dom.js';

const WORDS = { ok: '✓ ok', unknown: '? unknown', warning: '! warning', critical: '✕ critical' };

/** The state as a word with a sign, in its colour. */
export const mark = (state, word) => h('span', { className: 'mark', 'data-state': state }, word ?? WORDS[state]);

/** `9 s`, `12 min`, `5 h`, `3 d`; a dash if unknown. */
export function age(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 1) return '0 s';
  const [unit, size] = [['s', 1], ['min', 60], ['h', 3600], ['d', 86_400]].findLast(([, size]) => seconds >= 1.5 * size) ?? ['s', 1];
  return `${Math.round(seconds / size)} ${unit}`;
}

/** `1.2 GB`. */
export function bytes(number) {
  const [unit, size] = [['TB', 1e12], ['GB', 1e9], ['MB', 1e6], ['kB', 1e3]].find(([, size]) => number >= size) ?? ['B', 1];
  return `${Number((number / size).toPrecision(3))} ${unit}`;
}

/** A link to a page of the documentation; its path as text if no URL of the documentation is configured. */
export const page = (facts, path, text) =>
  (facts.docs ? h('a', { href: facts.docs + path, rel: 'noreferrer' }, text) : h('code', { className: 'path' }, path));

/** Commands for a shell, which wrap between words only. */
export const commands = (...lines) => h('pre', { className: 'commands' },
  ...lines.map((line) => h('code', {}, ...line.split(' ').flatMap((word, i) => [i ? ' ' : '', h('span', {}, word)]))));

export const card = (title, ...children) =>
  h('section', { className: 'card', 'aria-label': title }, h('h2', {}, title), ...children);

/** A table; cells are texts or elements, those of numeric columns on the right. */
export function table(columns, rows) {
  const numeric = new Set(columns.flatMap(({ number }, i) => (number ? [i] : [])));
  const kind = (i) => (numeric.has(i) ? 'number' : '');
  return h('table', {},
    h('thead', {}, h('tr', {}, ...columns.map(({ name }, i) => h('th', { scope: 'col', className: kind(i) }, name)))),
    h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell, i) => h('td', { className: kind(i) }, cell))))));
}
