/** Points that were not stored, by reason with the series that were dropped last; refused new series. */

import { h } from './dom.js';
import { card, commands, page, table } from './marks.js';
import { short } from './numbers.js';

export const dropped = (facts) => [drops(facts), refused(facts)].filter((each) => each !== null);

const count = (number) => (number === null ? '–' : short(Math.round(number)));

function drops(facts) {
  if (facts.missing.includes('RONDO_API_TOPOLOGY_URLS')) return null;
  const rows = facts.drops.map((drop) => [reason(drop), count(drop.minute), count(drop.points)]);
  return card('Dropped points',
    rows.length ? table([{ name: 'reason' }, { name: 'last minute', number: true }, { name: 'since start', number: true }], rows)
      : h('p', { className: 'hint' }, 'None since the topology started.'),
    h('p', { className: 'hint' }, 'What each reason means: ', page(facts, 'topology/README.md#what-is-not-stored', 'what is not stored')));
}

function reason({ reason, last }) {
  if (!last.length) return reason;
  return h('details', { 'data-key': `drop ${reason}` }, h('summary', {}, reason),
    h('ul', { className: 'instances' }, ...last.map((each) => h('li', {},
      h('code', {}, each.series ?? each.record ?? 'unknown'),
      h('p', { className: 'hint' }, ...details(each))))));
}

function details({ series, detail, record, points, seen }) {
  const known = [
    seen === null ? null : `at ${new Date(seen * 1000).toLocaleTimeString('en-GB')}`,
    points > 1 ? `${points} points` : null,
    series && record ? record : null,
    detail,
  ].filter((each) => each !== null);
  return [known.join(', ')];
}

function refused(facts) {
  if (!facts.refused.length) return null;
  const rows = facts.refused.map(({ source, minute, points }) => [source, count(minute), count(points)]);
  return card('New series refused',
    table([{ name: 'source' }, { name: 'points, last minute', number: true }, { name: 'since start', number: true }], rows),
    commands('./rondo series top --by label --new-since 1h'));
}
