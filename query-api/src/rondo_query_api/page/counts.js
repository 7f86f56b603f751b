/** Number of series by policy, source, prefix, and tag or values of a tag: four tables side by side. */

import { h } from './dom.js';

const MAX_VALUES = 10_000; // the API counts no further

export class Counts {
  /** Actions: `prefix`, `tag` (empty: all) and `policy` were chosen; `find(kind, text)`: show these series. */
  constructor(host, actions) {
    this.actions = actions;
    this.cards = Object.fromEntries(['policy', 'source', 'prefix', 'tag'].map((by) => [by, h('section', { class: 'card' })]));
    host.append(...Object.values(this.cards));
  }

  begin(by) {
    this.#card(by).setAttribute('aria-busy', 'true');
  }

  show(by, { series, groups }, shown) {
    const card = this.#card(by);
    card.removeAttribute('aria-busy');
    card.replaceChildren(this.#heading(by, shown), groups.length
      ? this.#table(by, groups, series, shown)
      : h('p', { class: 'hint' }, NONE[by]));
  }

  fail(by, error) {
    const card = this.#card(by);
    card.removeAttribute('aria-busy');
    card.replaceChildren(h('p', { class: 'error', role: 'alert' }, error.message));
  }

  #card(by) {
    return this.cards[by === 'value' ? 'tag' : by];
  }

  #heading(by, { prefix, tag }) {
    if (by === 'policy') return h('h2', {}, 'Policies');
    if (by === 'source') return h('h2', {}, 'Sources');
    if (by === 'tag') return h('h2', {}, 'Tags');
    if (by === 'value') return h('h2', {}, link('Tags', () => this.actions.tag('')), `/ ${tag}`);
    const nodes = prefix.split('.').slice(0, -1);
    const path = nodes.flatMap((node, i) => ['/', link(node, () => this.actions.prefix(`${nodes.slice(0, i + 1).join('.')}.`))]);
    const all = nodes.length ? link('Find these', () => this.actions.find('expr', beginning(prefix))) : null;
    return h('h2', {}, nodes.length ? link('Prefixes', () => this.actions.prefix('')) : 'Prefixes', ...path, all);
  }

  #table(by, groups, total, { newSince, prefix, tag }) {
    const columns = [by === 'tag' ? 'values' : null, newSince ? 'new' : null, 'series'].filter(Boolean);
    const rows = groups.map((group) => {
      const share = h('i');
      share.style.width = `${total ? Math.min(100, 100 * group.series / total) : 0}%`;
      return h('tr', {},
        h('th', { scope: 'row' }, this.#name(by, group.key, prefix, tag), h('div', { class: 'share' }, share)),
        ...columns.map((column) => h('td', { class: 'number' }, number(group[column], column))));
    });
    return h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, by),
        ...columns.map((column) => h('th', { scope: 'col', class: 'number' }, column)))),
      h('tbody', {}, ...rows));
  }

  #name(by, key, prefix, tag) {
    if (by === 'policy') return link(key, () => this.actions.policy(key));
    if (by === 'source') return h('span', { title: key }, key);
    if (by === 'tag') return link(key, () => this.actions.tag(key));
    if (by === 'value') return link(key, () => this.actions.find('expr', expression(tag, key)));
    if (key.endsWith('.')) return link(key.slice(prefix.length), () => this.actions.prefix(key), key);
    return link(key.slice(prefix.length), () => this.actions.find('expr', expression('name', key)), key);
  }
}

const NONE = {
  policy: 'No series yet.',
  source: 'No series yet.',
  prefix: 'No names with this prefix in the sample.',
  tag: 'No tags.',
  value: 'No values in the sample.',
};

const link = (text, click, title = text) => h('button', { type: 'button', class: 'plain', title, on: { click } }, text);

const number = (value, column) =>
  column === 'values' && value >= MAX_VALUES ? `${MAX_VALUES.toLocaleString('en')}+` : value.toLocaleString('en');

/** The search field separates expressions by spaces, and none may contain a semicolon: such a value becomes a regex. */
const expression = (tag, value) => (/^~|^$|[\s;]/.test(value) ? `${tag}=~^${literal(value)}$` : `${tag}=${value}`);

/** Tagged and untagged names with this prefix. */
const beginning = (prefix) => `name=~^${literal(prefix)}`;

const literal = (text) => text.replace(/[\][\\^$.|?*+(){}]/g, '\\$&').replace(/[\s;]/g, '.');
