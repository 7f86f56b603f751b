/**
 * Completion below a text field, as the combobox pattern of WAI-ARIA: the list opens while typing, Down and Up
 * select, Enter or Tab accepts, Escape closes, Ctrl+Space opens.
 *
 * `suggest(text, cursor, signal)` returns `[{label, detail, text, cursor, more}]`: `text` is the field's text with the
 * suggestion in it, `more` whether suggestions continue after it.
 */

import { h, newId } from './dom.js';

const PAUSE_MS = 120;

export class Combobox {
  constructor(field, { suggest, active = () => {}, taken = () => {} }) {
    Object.assign(this, { field, suggest, active, taken, found: [], at: -1 });
    this.list = h('ul', {
      id: newId('options'), class: 'options', role: 'listbox', 'aria-label': 'Suggestions', hidden: true,
      on: { mousedown: (event) => this.#clicked(event) },
    });
    for (const [name, value] of Object.entries({
      role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': this.list.id,
      autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    })) field.setAttribute(name, value);
    field.addEventListener('input', () => this.#soon());
    field.addEventListener('keydown', (event) => this.#pressed(event));
    field.addEventListener('blur', () => this.close());
    field.after(this.list);
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** The suggestion that Enter accepts. */
  get chosen() {
    return this.found[this.at];
  }

  async open() {
    this.request?.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    let found;
    try {
      found = await this.suggest(this.field.value, this.field.selectionStart, signal);
    } catch (error) {
      if (signal.aborted) return;
      found = [{ label: error.message, error: true }];
    }
    if (!signal.aborted && document.activeElement === this.field) this.#show(found);
  }

  close() {
    clearTimeout(this.timer);
    this.request?.abort();
    this.#show([]);
  }

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), PAUSE_MS);
  }

  #show(found) {
    this.found = found;
    this.list.replaceChildren(...found.map(({ label, detail, error }) =>
      h('li', { id: newId('option'), role: 'option', 'aria-selected': 'false', class: error ? 'error' : '' },
        h('span', { class: 'label' }, label), detail ? h('span', { class: 'detail' }, detail) : null)));
    this.list.hidden = found.length === 0;
    this.field.setAttribute('aria-expanded', String(found.length > 0));
    this.#choose(-1);
  }

  #choose(at) {
    this.list.children[this.at]?.setAttribute('aria-selected', 'false');
    this.at = at;
    const option = this.list.children[at];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) this.field.setAttribute('aria-activedescendant', option.id);
    else this.field.removeAttribute('aria-activedescendant');
    this.active(this.chosen);
  }

  #take(suggestion) {
    if (suggestion.error) return;
    this.field.value = suggestion.text;
    this.field.setSelectionRange(suggestion.cursor, suggestion.cursor);
    this.close();
    this.taken(suggestion);
    if (suggestion.more) this.open();
  }

  #clicked(event) {
    event.preventDefault(); // the field keeps the focus
    const option = event.target.closest('[role=option]');
    if (option) this.#take(this.found[[...this.list.children].indexOf(option)]);
  }

  #pressed(event) {
    if (event.ctrlKey && event.key === ' ') this.open();
    else if (!this.isOpen) return;
    else if (event.key === 'ArrowDown') this.#choose((this.at + 1) % this.found.length);
    else if (event.key === 'ArrowUp') this.#choose((this.at <= 0 ? this.found.length : this.at) - 1);
    else if (event.key === 'Escape') this.close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && this.at >= 0) this.#take(this.found[this.at]);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
