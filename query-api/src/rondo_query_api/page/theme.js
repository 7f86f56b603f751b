/** Colours: light, dark, or those of the system; the browser keeps the choice. */

import { h } from './dom.js';

const CHOICES = { system: '◐ System', light: '☀ Light', dark: '☾ Dark' };
const KEY = 'rondo.theme';

/** A select element; `changed` is called after the colours have changed. */
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

/** Current value of a colour of the style sheet, such as `--ink`, for a canvas. */
export function colour(name) {
  const probe = h('i', { hidden: true });
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
