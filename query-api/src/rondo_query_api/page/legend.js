/** The lines by name, with the last value or the one under the pointer; a click hides a line. */

import { lineColour } from './chart.js';
import { h } from './dom.js';
import { short } from './numbers.js';

export class Legend {
  /** `toggle(name)`, `focus(number or null)`: actions of the chart. */
  constructor(host, { toggle, focus }) {
    Object.assign(this, { host, toggle, focus, cells: [] });
  }

  show({ lines }, hidden) {
    if (lines.length === 0) return this.host.replaceChildren();
    this.lines = lines;
    this.when = h('th', { scope: 'col', class: 'value' }, 'last');
    const focused = this.host.contains(document.activeElement) ? document.activeElement.dataset.line : null;
    const rows = lines.map((line, i) => this.#row(line, i, hidden));
    this.cells = rows.map((row) => row.children[1]);
    this.host.replaceChildren(h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Series'), this.when,
        ...['min', 'mean', 'max'].map((name) => h('th', { scope: 'col', class: 'value more' }, name)))),
      h('tbody', {}, ...rows)));
    if (focused) this.host.querySelector(`button[data-line="${focused}"]`)?.focus();
    return undefined;
  }

  /** Shows the values at a time, with null the last ones. */
  at(time, values) {
    if (this.cells.length === 0) return;
    this.when.textContent = time ?? 'last';
    this.cells.forEach((cell, i) => { cell.textContent = short(time === null ? this.lines[i].last : values[i]); });
  }

  #row({ name, last, min, mean, max }, i, hidden) {
    const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.setProperty('--swatch', `var(${lineColour(i)})`);
    const button = h('button', {
      type: 'button', class: 'plain series', 'aria-pressed': String(!hidden.has(name)), title: name, 'data-line': i,
      on: {
        click: () => {
          this.toggle(name);
          button.setAttribute('aria-pressed', String(!hidden.has(name)));
        },
      },
    }, swatch, h('span', { class: 'name' }, name));
    return h('tr', { on: { mouseenter: () => this.focus(i), mouseleave: () => this.focus(null) } },
      h('th', { scope: 'row' }, button), h('td', { class: 'value' }, short(last)),
      ...[min, mean, max].map((value) => h('td', { class: 'value more' }, short(value))));
  }
}
