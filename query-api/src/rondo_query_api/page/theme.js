/** Light, dark, or as the system has it: kept in this browser. */

import { h } from './dom.js';

const CHOICES = { system: '◐ System', light: '☀ Light', dark: '☾ Dark' };
const KEY = 'rondo.theme';

/** A select; `changed` is called when the colours have become others. */
export function themeSelect(changed) {
  const kept = localStorage.getItem(KEY);
  const options = Object.entries(CHOICES).map(([value, text]) => h('option', { value }, text));
  const select = h('select', { id: 'theme', 'aria-label': 'Colours', title: 'Colours' }, ...options);
  const apply = () => {
    document.documentElement.dataset.theme = select.value;
    changed();
  };
  select.value = kept in CHOICES ? kept : 'system';
  select.addEventListener('change', () => {
    localStorage.setItem(KEY, select.value);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  apply();
  return select;
}

/** A colour of the style sheet, such as `--ink`, as it is now: for a canvas. */
export function colour(name) {
  const probe = h('i', { hidden: true });
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
