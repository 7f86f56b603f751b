/** The verdict, and the pipeline as stages in the order of the data, each with its instances. */

import { h } from './dom.js';
import { age, mark, page } from './marks.js';
import { short } from './numbers.js';

const NAMES = {
  sources: 'Kafka sources', topology: 'Topology', rows: 'Bundle rows', sink: 'Connect sink', postgresql: 'PostgreSQL', 'query-api': 'Query API',
};
const ERRORS = { topology: 'dropped', sink: 'failed', 'query-api': 'failed' };

/** Shows the problems, the worst first, with links to what to do. */
export function verdict(host, facts) {
  const { problems, missing, state } = facts;
  host.dataset.state = state;
  const problem = ([{ state, text, docs }, ...others]) => h('li', { 'data-state': state }, mark(state), ' ', text,
    others.length ? ` (and ${others.length} similar)` : '', '. ', page(facts, docs, 'What to do'));
  host.replaceChildren(
    h('h1', {}, problems.length ? headline(problems) : missing.length ? 'All checked parts are ok' : 'All parts are ok'),
    h('p', { className: 'hint' }, newest(facts)),
    problems.length ? h('ul', { className: 'problems' }, ...similar(problems).map(problem)) : '',
    missing.length ? h('p', { className: 'hint' }, 'Other parts are not checked, because these settings are missing: ', h('code', {}, missing.join(', ')), '.') : '');
}

/** Groups problems with the same page, such as those of all tasks of the sink. */
function similar(problems) {
  const groups = new Map();
  for (const each of problems) groups.set(each.docs, [...(groups.get(each.docs) ?? []), each]);
  return [...groups.values()];
}

function headline(problems) {
  const critical = new Set(problems.filter(({ state }) => state === 'critical').map(({ stage }) => NAMES[stage]));
  if (critical.size) return `Critical: ${[...critical].join(', ')}`;
  const warnings = similar(problems).length;
  return warnings === 1 ? '1 warning' : `${warnings} warnings`;
}

/** Age of the newest slot that has ended; the end of an open one shows only its step, or a sender's clock that is ahead. */
function newest({ policies }) {
  const ages = policies.flatMap(({ archives }) => archives.map(({ age_s }) => age_s)).filter((age) => age !== null);
  const ended = ages.filter((age) => age >= 0);
  if (ended.length) return `The newest slot stored ended ${age(Math.min(...ended))} ago.`;
  return ages.length ? 'The newest slots stored are open.' : 'The age of the newest slot is not known.';
}

/** A list item for each stage. */
export const pipeline = (facts) => facts.stages.map((stage) => h('li', { className: 'stage', 'data-state': stage.state },
  h('div', { className: 'head' }, h('h2', {}, NAMES[stage.stage]), mark(stage.state)),
  h('p', { className: 'rate' }, stage.rate === null ? '–' : short(rounded(stage.rate)), h('span', {}, ` ${stage.unit}/s`)),
  h('p', { className: 'numbers' }, ...numbers(stage, stage.stage)),
  instances(stage)));

const rounded = (number) => Number(number.toPrecision(3));

/** Known numbers of the stage, or of one of its instances, besides the rate. */
function numbers({ lag_s: lag, waiting, errors }, name) {
  const known = [
    lag === null ? null : h('span', { 'data-state': lag > 300 ? 'critical' : lag > 60 ? 'warning' : 'ok' }, `lag ${age(lag)}`),
    waiting === null ? null : `${short(waiting)} waiting`,
    errors === null ? null : `${short(rounded(errors))} ${ERRORS[name] ?? 'errors'}/min`,
  ].filter((each) => each !== null);
  return known.flatMap((each, i) => (i ? [' · ', each] : [each]));
}

function instances({ stage, state, unit, instances }) {
  if (!instances.length) return h('p', { className: 'hint' }, 'Unknown.');
  const up = instances.filter(({ up }) => up).length;
  const all = `${up} of ${instances.length} up`;
  return h('details', { 'data-key': `stage ${stage}`, open: state !== 'ok' && instances.length > 1 },
    h('summary', {}, instances.length === 1 ? instances[0].name : all),
    h('ul', { className: 'instances' }, ...instances.map((each) => h('li', {},
      h('div', { className: 'head' }, h('span', { className: 'name' }, each.name), mark(each.state, upOrDown(each))),
      h('p', { className: 'numbers' }, ...parts(each, unit, stage)),
      ...each.problems.map(({ state, text }) => h('p', { className: 'problem', 'data-state': state }, text))))));
}

const upOrDown = ({ up }) => (up === null ? '? unknown' : up ? '✓ up' : '✕ down');

function parts(instance, unit, stage) {
  const first = [
    instance.version,
    instance.rate === null ? null : `${short(rounded(instance.rate))} ${unit}/s`,
  ].filter((each) => each !== null);
  const rest = numbers(instance, stage);
  return [first.join(' · '), first.length && rest.length ? ' · ' : '', ...rest];
}
