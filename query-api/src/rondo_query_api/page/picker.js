/** Searches functions by name and description, and wraps a target in the selected one. */

import { Combobox } from './combobox.js';
import { h } from './dom.js';

export class FunctionPicker {
  /** `field`: the target's; `explain(name)`: shows a function's help; `taken()`: the target is a call now. */
  constructor(catalogue, { field, explain, taken }) {
    this.catalogue = catalogue;
    this.target = field;
    this.search = h('input', { type: 'text', 'aria-label': 'Function', placeholder: 'Function: sum, moving, alias …' });
    this.element = h('div', { class: 'picker field', hidden: true }, this.search);
    this.combobox = new Combobox(this.search, {
      suggest: (text) => this.#matching(text),
      active: (suggestion) => explain(suggestion?.describes),
      taken: (suggestion) => { this.#wrap(catalogue[suggestion.describes]); taken(); },
    });
    this.search.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.#hide(); });
    this.search.addEventListener('blur', () => this.#hide());
  }

  toggle(button) {
    this.button = button;
    if (!this.element.hidden) return this.#hide();
    this.element.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    this.search.value = '';
    this.search.focus();
    return this.combobox.open();
  }

  #hide() {
    this.element.hidden = true;
    this.button?.setAttribute('aria-expanded', 'false');
  }

  /** Functions of series: first those whose name begins with the text, then those that contain it. */
  #matching(text) {
    const wanted = text.trim().toLowerCase();
    const rank = ({ name, group, description }) =>
      [name.toLowerCase().startsWith(wanted), `${name} ${group} ${description}`.toLowerCase().includes(wanted)].indexOf(true);
    return Object.values(this.catalogue)
      .filter((each) => each.params[0]?.type.startsWith('seriesList') && rank(each) >= 0)
      .sort((a, b) => rank(a) - rank(b))
      .map((each) => ({ label: each.name, detail: each.description, describes: each.name, text: '', cursor: 0 }));
  }

  /** Wraps the target in the function, and selects the first argument that is only a guess. */
  #wrap({ name, params }) {
    const inner = this.target.value.trim() || '*';
    const rest = params.slice(1).filter(({ required }) => required).map(guess);
    this.target.value = `${name}(${[inner, ...rest].join(', ')})`;
    const from = name.length + 1 + inner.length + 2;
    this.target.focus();
    if (rest.length) this.target.setSelectionRange(from, from + rest[0].length);
    this.#hide();
  }
}

const NUMBERS = { float: '1', integer: '1', intOrInterval: '5', node: '0', nodeOrTag: '0' };

/** An example value of the parameter, as a literal of a target. */
function guess({ type, suggestions, options, default: value }) {
  const chosen = value ?? suggestions?.[0] ?? NUMBERS[type];
  if (chosen !== undefined) return typeof chosen === 'number' || type in NUMBERS ? String(chosen) : `"${chosen}"`;
  if (type.startsWith('series')) return '*';
  if (type === 'interval') return '"1h"';
  return `"${type === 'aggFunc' && options?.includes('average') ? 'average' : options?.[0] ?? 'name'}"`;
}
