/** The page of the status: asks again and again, and shows the answer as long as nobody reads or copies a part of it. */

import { status } from './api.js';
import { DeadLetters } from './dead_letters.js';
import { dropped } from './dropped.js';
import { pipeline, verdict } from './pipeline.js';
import { stored } from './stored.js';
import { themeSelect } from './theme.js';

const EVERY_MS = 10_000;
const SOON_MS = 2_000; // until rates are known: a process of the API needs two looks

const at = (id) => document.getElementById(id);
const deadLetters = new DeadLetters(at('dead-letters'));
let asked = null; // time of the answer that is shown, ms
let waiting = 0;

async function ask() {
  clearTimeout(waiting);
  if (document.hidden) return;
  let soon = false;
  try {
    const facts = await status();
    soon = facts.stages.some(({ stage, rate }) => stage === 'query-api' && rate === null);
    if (getSelection().isCollapsed) show(facts);
  } catch (error) {
    fail(error);
  }
  clearTimeout(waiting);
  waiting = setTimeout(ask, soon ? SOON_MS : EVERY_MS);
}

function show(facts) {
  asked = facts.at * 1000;
  document.body.classList.remove('stale');
  const open = new Map([...document.querySelectorAll('details')].map((each) => [each.dataset.key, each.open]));
  const focused = document.activeElement?.closest?.('details')?.dataset.key;
  document.title = `${facts.problems.length ? `(${facts.problems.length}) ` : ''}Status · Rondo`;
  verdict(at('verdict'), facts);
  at('pipeline').replaceChildren(...pipeline(facts));
  at('cards').replaceChildren(...dropped(facts), ...stored(facts));
  deadLetters.show(facts);
  for (const each of document.querySelectorAll('details')) {
    each.open = open.get(each.dataset.key) ?? each.open;
    if (focused && each.dataset.key === focused) each.querySelector('summary').focus({ preventScroll: true });
  }
  at('asked').textContent = `Asked at ${time(asked)}, again every ${EVERY_MS / 1000} s. Query API ${facts.version}.`;
}

/** Keeps what is shown, and says that it is old. */
function fail(error) {
  document.body.classList.add('stale');
  const shown = asked ? ` What is shown is of ${time(asked)}.` : '';
  at('verdict').dataset.state = 'critical';
  at('verdict').querySelector('h1').textContent = `No status: ${error.message}.${shown}`;
}

const time = (ms) => new Date(ms).toLocaleTimeString('en-GB');

document.addEventListener('visibilitychange', ask);
at('view').append(themeSelect(() => {}));
ask();
