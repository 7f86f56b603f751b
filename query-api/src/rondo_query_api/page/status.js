/** The status page: requests the status regularly, and shows it unless the user has selected text. */

import { status } from './api.js';
import { DeadLetters } from './dead_letters.js';
import { dropped } from './dropped.js';
import { pipeline, verdict } from './pipeline.js';
import { stored } from './stored.js';
import { themeSelect } from './theme.js';

const EVERY_MS = 10_000;
const SOON_MS = 2_000; // until rates are known, which need two samples

const at = (id) => document.getElementById(id);
const deadLetters = new DeadLetters(at('dead-letters'));
let shownAt = null; // time of the status that is shown, ms
let timer = 0;

async function update() {
  clearTimeout(timer);
  if (document.hidden) return;
  let soon = false;
  try {
    const facts = await status();
    soon = facts.stages.some(({ stage, rate }) => stage === 'query-api' && rate === null);
    if (getSelection().isCollapsed) show(facts);
  } catch (error) {
    fail(error);
  }
  clearTimeout(timer);
  timer = setTimeout(update, soon ? SOON_MS : EVERY_MS);
}

function show(facts) {
  shownAt = facts.at * 1000;
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
  at('updated').textContent = `Collected at ${time(shownAt)}, updated every ${EVERY_MS / 1000} s. Query API ${facts.version}.`;
}

/** Keeps the status that is shown, and marks it as stale. */
function fail(error) {
  document.body.classList.add('stale');
  const shown = shownAt ? ` The status below is from ${time(shownAt)}.` : '';
  at('verdict').dataset.state = 'critical';
  at('verdict').querySelector('h1').textContent = `No status: ${error.message}.${shown}`;
}

const time = (ms) => new Date(ms).toLocaleTimeString('en-GB');

document.addEventListener('visibilitychange', update);
at('view').append(themeSelect(() => {}));
update();
