/** Finds tagged series: conditions on tags become one target, seriesByTag(…). */

import { tagNames, tagValues } from './api.js';
import { Combobox } from './combobox.js';
import { h } from './dom.js';
import { quoted } from './grammar.js';

const OPERATORS = { '=': 'is', '!=': 'is not', '=~': 'matches', '!=~': 'does not match' };

export class Tags {
  /** `draw(target)` is called to show a target. */
  constructor(host, draw) {
    this.conditions = [];
    this.draw = draw;
    this.tag = field('Tag', 'dc');
    this.operator = h('select', { 'aria-label': 'Operator' },
      ...Object.entries(OPERATORS).map(([value, text]) => h('option', { value }, text)));
    this.value = field('Value', 'ams');
    this.list = h('ul', { class: 'conditions', 'aria-label': 'Conditions' });
    this.error = h('p', { class: 'error', role: 'alert' });
    this.target = h('code', { class: 'preview' });
    this.button = h('button', { type: 'button', class: 'primary', on: { click: () => this.#drawAll() } }, 'Draw');
    const add = h('button', { type: 'button', on: { click: () => this.#add() } }, 'Add');
    host.append(
      h('p', { class: 'hint' }, 'Finds series whose tags meet all conditions.'),
      h('div', { class: 'condition' },
        h('div', { class: 'field' }, this.tag), this.operator, h('div', { class: 'field' }, this.value), add),
      this.error, this.list, this.target, this.button,
    );
    this.#complete();
    this.#show();
  }

  #complete() {
    new Combobox(this.tag, {
      suggest: async (text, _, signal) => (await listed(tagNames(text, narrowing(this.conditions), signal))).map(suggestion),
      taken: () => this.value.focus(),
    });
    new Combobox(this.value, {
      suggest: async (text, _, signal) => {
        const tag = this.tag.value.trim();
        return tag ? (await listed(tagValues(tag, text, this.conditions, signal))).map(suggestion) : [];
      },
    });
    for (const each of [this.tag, this.value]) {
      each.addEventListener('focus', () => each.dispatchEvent(new Event('input')));
      each.addEventListener('keydown', (event) => { if (event.key === 'Enter') this.#add(); });
    }
  }

  #add() {
    const [tag, value] = [this.tag.value.trim(), this.value.value];
    this.error.textContent = tag ? '' : 'A condition needs a tag.';
    if (!tag) return this.tag.focus();
    this.conditions.push(tag + this.operator.value + value);
    [this.tag.value, this.operator.value, this.value.value] = ['', '=', ''];
    this.#show();
    return this.tag.focus();
  }

  /** Adds a condition that is written but not added yet. */
  #drawAll() {
    if (this.tag.value.trim()) this.#add();
    this.draw(this.#written());
  }

  #written() {
    return `seriesByTag(${this.conditions.map(quoted).join(', ')})`;
  }

  #show() {
    this.list.replaceChildren(...this.conditions.map((condition, i) => h('li', {}, condition,
      h('button', { type: 'button', class: 'plain', 'aria-label': `Remove ${condition}`, on: { click: () => this.#remove(i) } }, '×'))));
    this.target.textContent = this.conditions.length ? this.#written() : '';
  }

  #remove(i) {
    this.conditions.splice(i, 1);
    this.#show();
  }
}

const field = (name, example) => h('input', { type: 'text', 'aria-label': name, placeholder: example });

/** The conditions if one requires its tag: the API finds no series by others. */
const narrowing = (conditions) => (conditions.some((condition) => /^[^!=]+=./.test(condition)) ? conditions : []);

/** Conditions can be written even if the server cannot list tags and values. */
const listed = (names) => names.catch((error) => {
  throw new Error(`Not listed: ${error.message}. Type it instead.`);
});

const suggestion = (text) => ({ label: text, text, cursor: text.length });
