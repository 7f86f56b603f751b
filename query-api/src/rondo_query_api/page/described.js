/** Table of series: policy, source, start, last value, location, and location periods. */

import { h } from './dom.js';
import { escaped } from './grammar.js';
import { short } from './numbers.js';
import { browserZone, wallTime } from './times.js';

const COLUMNS = ['series', 'policy', 'source', 'since', 'last value', 'at', 'segment : position', 'periods'];
const NUMBERS = new Set(['last value']);

/** A table of the series that `/series/find` returns; with checkboxes, unless the selection is null. */
export function describedTable(series, selection) {
  const head = COLUMNS.map((name) => h('th', { scope: 'col', class: NUMBERS.has(name) ? 'number' : '' }, name));
  const rows = series.map((each) => row(each, selection && cell('td', selection.box(each))));
  return h('table', {}, h('thead', {}, h('tr', {}, selection && cell('th', selection.boxOfAll), ...head)), h('tbody', {}, ...rows));
}

/** The label makes the whole cell a touch target. */
const cell = (tag, box) => h(tag, { className: 'selected' }, h('label', {}, box));

function row({ name, policy, source, segment, position, since, last, periods }, selected) {
  return h('tr', {}, selected,
    h('th', { scope: 'row' }, h('a', { href: `./?${new URLSearchParams({ target: escaped(name) })}` }, name)),
    h('td', {}, policy),
    h('td', {}, source ?? '–'),
    h('td', {}, moment(since)),
    h('td', { class: 'number' }, last ? h('span', { title: String(last.value) }, short(last.value)) : '–'),
    h('td', {}, last ? moment(last.time) : '–'),
    h('td', { class: 'location' }, locationText(segment, position)),
    h('td', {}, periods.length ? periodDetails(periods) : '1'));
}

function periodDetails(periods) {
  const items = periods.map((period) => h('li', {}, `${period.policy}, ${locationText(period.segment, period.position)}: `,
    moment(period.since), ' to ', period.until === null ? 'now' : moment(period.until)));
  return h('details', {}, h('summary', {}, String(periods.length)), h('ul', {}, ...items));
}

/** A segment is named by its partition and its number in the partition. */
const locationText = (segment, position) => `${segment >>> 16}/${segment & 0xffff} : ${position}`;

function moment(epoch) {
  const shown = wallTime(epoch, browserZone).replace('T', ' ');
  return h('time', { datetime: new Date(epoch * 1000).toISOString(), title: `${epoch} s` }, shown);
}
