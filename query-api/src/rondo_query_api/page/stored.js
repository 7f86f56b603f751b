/** Data in PostgreSQL: policies and their archives, fills, replays, sizes. */

import { h } from './dom.js';
import { age, bytes, card, commands, page, table } from './marks.js';
import { counted, short } from './numbers.js';
import { span } from './times.js';

export const stored = (facts) => [policies(facts), fills(facts), replays(facts), sizes(facts)].filter((each) => each !== null);

/** Text for an empty card. */
const none = (facts, text) => h('p', { className: 'hint' }, isDown(facts) ? 'Unknown: PostgreSQL does not answer.' : text);

const isDown = ({ stages }) => stages.some(({ stage, instances }) => stage === 'postgresql' && instances.every(({ up }) => !up));

const ARCHIVES = [{ name: 'archive' }, { name: 'slots', number: true }, { name: 'newest slot ended', number: true }];

function policies(facts) {
  const version = facts.policies_version === null ? '' : `, version ${facts.policies_version}`;
  const items = facts.policies.map((policy) => h('div', { className: 'policy' },
    h('div', { className: 'head' }, h('span', { className: 'name' }, policy.name), h('span', { className: 'hint' }, series(policy))),
    policy.archives.length ? table(ARCHIVES, policy.archives.map(archive)) : ''));
  return card(`Policies${version}`, ...(items.length ? items : [none(facts, 'None has stored a value yet.')]));
}

function series({ series, max_series: most }) {
  if (series === null) return '';
  return `${counted(series)}${most === null ? '' : ` of at most ${short(most)}`}`;
}

const archive = ({ function: name, step_s: step, slots, age_s: seconds }) =>
  [`${name} ${span(step)}`, short(slots), seconds === null ? 'none yet' : `${age(seconds)} ago`];

function fills(facts) {
  const items = facts.fills.map((fill) => job(`${fill.policy} ${fill.function} ${span(fill.step_s)}`, 'filling',
    `${short(fill.rows)} rows, ${short(fill.open_segments)} open segments`, fill));
  return card('Fills', ...(items.length ? items : [none(facts, 'No archive is being filled.')]));
}

function replays(facts) {
  const items = facts.replays.map((replay) => job(replay.id, replay.state,
    `${short(replay.remaining)} of ${short(replay.records)} records left`, replay));
  return card('Replays and backfills',
    ...(items.length ? items : [none(facts, 'None is running.')]),
    h('p', { className: 'hint' }, 'Details, on the machine where they were started:'),
    commands('./rondo replay status'),
    h('p', { className: 'hint' }, page(facts, 'docs/how-to/replay.md', 'Replay and backfill')));
}

const job = (name, state, rest, { idle_s: idle }) => h('div', { className: 'job' },
  h('div', { className: 'head' }, h('span', { className: 'name' }, name), h('span', { className: 'hint' }, state)),
  h('p', { className: 'numbers' }, `${rest} · last progress ${age(idle)} ago`));

function sizes({ sizes }) {
  if (!sizes) return null;
  const rows = [['database', bytes(sizes.database_bytes)], ['table of values (ts)', bytes(sizes.values_bytes)]];
  if (sizes.series) rows.push(['series, estimated', short(sizes.series)]); // unknown until PostgreSQL has analyzed the table
  return card('Sizes', table([{ name: 'what' }, { name: 'size', number: true }], rows));
}
