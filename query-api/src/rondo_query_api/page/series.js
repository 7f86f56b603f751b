/** The page of series: how many there are by policy, source, prefix and tag, and a search that describes each. */

import { cardinality, described } from './api.js';
import { Counts } from './counts.js';
import { Deletion } from './deletion.js';
import { describedTable } from './described.js';
import { themeSelect } from './theme.js';

const NEWEST = 'The series stored last';
const PLACEHOLDERS = { query: 'hosts.*.cpu.user, or a name', expr: 'dc=ams host=~web.* (expressions without spaces)' };
const DEFAULTS = { newSince: '', prefix: '', tag: '', policy: '', kind: 'query', search: '' };

const at = (id) => document.getElementById(id);
let state = fromAddress();

const counts = new Counts(at('counts'), {
  prefix: (prefix) => change({ prefix }),
  tag: (tag) => change({ tag }),
  policy: (policy) => change({ policy, search: '' }),
  find: (kind, search) => change({ kind, search, policy: '' }),
});

const deletion = new Deletion(at('deletion'), () => show());

function fromAddress() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name) ?? value]));
}

/** Changes a part of the state, as a new entry of the browser's history, and shows what depends on it. */
function change(part) {
  const before = state;
  state = { ...state, ...part };
  const query = new URLSearchParams(Object.entries(state).filter(([name, value]) => value !== DEFAULTS[name]));
  history.pushState(null, '', `${location.pathname}${query.size ? `?${query}` : ''}`);
  show(before);
}

function show(before = {}) {
  const differs = (...names) => names.some((name) => state[name] !== before[name]);
  at('since').value = state.newSince;
  at('kind').value = state.kind in PLACEHOLDERS ? state.kind : DEFAULTS.kind;
  at('text').value = state.search;
  at('text').placeholder = PLACEHOLDERS[at('kind').value];
  if (differs('newSince')) ['policy', 'source'].forEach(count);
  if (differs('newSince', 'prefix')) count('prefix');
  if (differs('newSince', 'tag')) count(state.tag ? 'value' : 'tag');
  if (differs('newSince', 'policy', 'kind', 'search')) find();
}

const requests = {};

/** Signal of a new request, which aborts the previous one of the same name. */
function signal(name) {
  requests[name]?.abort();
  requests[name] = new AbortController();
  return requests[name].signal;
}

async function count(by) {
  const ending = signal(by === 'value' ? 'tag' : by);
  const { newSince, prefix, tag } = state;
  counts.begin(by);
  try {
    const found = await cardinality({ by, newSince, prefix: by === 'prefix' ? prefix : '', tag: by === 'value' ? tag : '' }, ending);
    counts.show(by, found, { newSince, prefix, tag });
    if (by === 'policy') at('total').textContent = total(found, newSince);
  } catch (error) {
    if (!ending.aborted) counts.fail(by, error);
  }
}

function total({ share, series, new: fresh }, newSince) {
  const number = `${share < 1 ? 'About ' : ''}${series.toLocaleString('en')} series`;
  const sampled = share < 1 ? ` Counts are estimates from a sample of ${(share * 100).toPrecision(2)} % of the table.` : '';
  return `${number}${newSince ? `, ${fresh.toLocaleString('en')} of them new` : ''}.${sampled}`;
}

async function find() {
  const ending = signal('find');
  const { newSince, policy, search } = state;
  const by = at('kind').value === 'expr' ? { expr: search.split(/\s+/) } : { query: search.trim() };
  at('found').textContent = 'Searching …';
  try {
    const parts = { ...(search.trim() ? by : {}), policy, newSince };
    const { series, more } = await described(parts, ending);
    const selection = await deletion.begin(parts, series, more);
    if (ending.aborted) return;
    at('found').className = 'status';
    at('found').textContent = summary(series.length, more);
    at('series').replaceChildren(series.length ? describedTable(series, selection) : '');
  } catch (error) {
    if (ending.aborted) return;
    at('found').className = 'error';
    at('found').textContent = error.message;
    at('series').replaceChildren();
  }
}

function summary(found, more) {
  const of = state.policy ? ` of the policy ${state.policy}` : '';
  const fresh = state.newSince ? ' new' : '';
  if (found === 0) return `No${fresh} series${of} found${more ? ' among those searched: narrow the search' : ''}.`;
  const which = state.search || state.policy || state.newSince ? `${found}${fresh} series${of}` : NEWEST;
  return `${which}${more ? ' (there are more)' : ''}`;
}

at('since').addEventListener('change', () => change({ newSince: at('since').value }));
at('kind').addEventListener('change', () => { at('text').placeholder = PLACEHOLDERS[at('kind').value]; });
at('search').addEventListener('submit', (event) => {
  event.preventDefault();
  change({ kind: at('kind').value, search: at('text').value, policy: '' });
});
addEventListener('popstate', () => {
  const before = state;
  state = fromAddress();
  show(before);
});
at('view').append(themeSelect(() => {}));
show();
