/** The explorer: connects the state with the parts that show and change it. */

import { find, functions } from './api.js';
import { Chart } from './chart.js';
import { Drawing } from './drawing.js';
import { escaped, unescaped } from './grammar.js';
import { Legend } from './legend.js';
import { links } from './links.js';
import { Range } from './range.js';
import { State } from './state.js';
import { tabs } from './tabs.js';
import { Tags } from './tags.js';
import { Targets } from './targets.js';
import { themeSelect } from './theme.js';
import { wallTime } from './times.js';
import { Tree } from './tree.js';

/** Shown when the address has no target: the CPU of every machine with a host collector, such as that of `./rondo up`. */
const DEFAULT_TARGET = 'hosts.*.cpu.busy';

const at = (id) => document.getElementById(id);
const catalogue = {};
const state = new State();

const chart = new Chart(at('chart'), {
  zoomed: (from, until) => state.change({ from: String(from), until: String(until) }),
  hovered: (i) => hovered(i),
});
const legend = new Legend(at('legend'), { toggle: (name) => chart.toggle(name), focus: (i) => chart.focus(i) });
const targets = new Targets(at('targets'), at('add-target'), catalogue, (written) => state.change({ targets: written }));
const drawing = new Drawing({ state, chart, legend, targets, status: at('status'), notice: at('notice') });
const range = new Range(at('range'), () => drawing.now(), (part) => state.change(part));
const tree = new Tree(at('tree-panel'), { toggle: (path) => toggle(escaped(path)), empty: () => { drawing.empty = true; drawing.draw(); } });

function toggle(target) {
  const { targets: shown } = state.value;
  state.change({ targets: shown.includes(target) ? shown.filter((each) => each !== target) : [...shown, target] });
}

async function showDefaultTarget() {
  const found = await find(DEFAULT_TARGET).catch(() => []); // the tree shows the error
  drawing.starting = false;
  if (state.value.targets.length) return;
  if (found.length) state.replace({ targets: [DEFAULT_TARGET] });
  else drawing.draw();
}

function hovered(i) {
  const { table, zone } = drawing.drawn ?? {};
  if (!table) return;
  if (i === null) legend.at(null);
  else legend.at(wallTime(table[0][i], zone).slice(11), table.slice(1).map((values) => values[i]));
}

function show() {
  range.show(state.value);
  targets.show(state.value.targets);
  tree.mark(state.value.targets.map(unescaped));
  links(at('links'), state.value);
  document.title = [...state.value.targets, 'Rondo'].join(' · ').slice(0, 200);
  drawing.draw();
}

at('menu').addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  at('menu').setAttribute('aria-expanded', String(open));
});
at('view').append(themeSelect(() => chart.recolour()));
tabs(document.querySelector('[role=tablist]'));
new Tags(at('tags-panel'), (target) => { if (!state.value.targets.includes(target)) toggle(target); });
state.addEventListener('change', show);
drawing.starting = state.value.targets.length === 0;
show();
tree.load();
if (drawing.starting) showDefaultTarget();
// Without the catalogue, targets still work: only help and completion are missing.
functions().then((found) => Object.assign(catalogue, found), (error) => { at('status').textContent = error.message; });
