/** The list of targets: each has a field with completion, help, a function picker and the API's error message. */

import { complete } from './completion.js';
import { Combobox } from './combobox.js';
import { h, newId } from './dom.js';
import { contextAt } from './grammar.js';
import { helpFor } from './help.js';
import { FunctionPicker } from './picker.js';

export class Targets {
  /** `catalogue`: every function by name; `changed(targets)`: the user has edited the targets. */
  constructor(list, add, catalogue, changed) {
    Object.assign(this, { list, catalogue, changed, rows: [] });
    add.addEventListener('click', () => this.#add('').field.focus());
  }

  /** Shows these targets; an unchanged row stays as it is. */
  show(targets) {
    const wanted = targets.length ? targets : [''];
    if (String(this.#written()) === String(targets) && this.rows.length) return;
    while (this.rows.length > wanted.length) this.rows.pop().item.remove();
    wanted.forEach((target, i) => {
      const row = this.rows[i] ?? this.#add('');
      if (row.field.value !== target) row.field.value = target;
      row.setError('');
    });
  }

  /** Shows the API's error message below each target, `''` for none; in the order of the targets. */
  showErrors(errors) {
    this.rows.filter(({ field }) => field.value.trim()).forEach((row, i) => row.setError(errors[i] ?? ''));
  }

  #written() {
    return this.rows.map(({ field }) => field.value.trim()).filter(Boolean);
  }

  #commit() {
    for (const { field, setError } of this.rows) if (!field.value.trim()) setError('');
    this.changed(this.#written());
  }

  #add(text) {
    const row = this.#row(text);
    this.rows.push(row);
    this.list.append(row.item);
    return row;
  }

  #row(text) {
    const helpId = newId('help');
    const errorId = newId('error');
    const field = h('input', {
      type: 'text', value: text, class: 'target', 'aria-label': 'Target', 'aria-describedby': `${helpId} ${errorId}`,
      placeholder: 'hosts.*.cpu.user, or a function of it', enterKeyHint: 'go',
    });
    const help = h('p', { id: helpId, class: 'help' });
    const error = h('p', { id: errorId, class: 'error', role: 'alert' });
    const explain = (name) => help.replaceChildren(...helpFor(this.catalogue, field.value, field.selectionStart, name));
    const picker = new FunctionPicker(this.catalogue, { field, explain, taken: () => this.#commit() });
    const apply = h('button', {
      type: 'button', class: 'plain', title: 'Apply a function', 'aria-label': 'Apply a function', 'aria-expanded': 'false',
      on: { click: () => picker.toggle(apply) },
    }, 'ƒ');
    const remove = h('button', { type: 'button', class: 'plain', title: 'Remove', 'aria-label': 'Remove the target' }, '×');
    const item = h('li', {}, h('div', { class: 'line' }, h('div', { class: 'field' }, field), apply, remove), picker.element, help, error);
    const row = { item, field, setError: (line) => { error.textContent = line; field.setAttribute('aria-invalid', String(Boolean(line))); } };

    const combobox = new Combobox(field, {
      suggest: (value, cursor, signal) => complete(this.catalogue, value, cursor, signal),
      active: (suggestion) => explain(suggestion?.describes),
      taken: () => { if (isWhole(field)) this.#commit(); },
    });
    for (const event of ['keyup', 'click', 'input']) field.addEventListener(event, () => explain(combobox.chosen?.describes));
    field.addEventListener('blur', () => {
      help.replaceChildren();
      this.#commit();
    });
    field.addEventListener('keydown', (event) => { if (event.key === 'Enter') this.#commit(); });
    remove.addEventListener('click', () => this.#remove(row));
    return row;
  }

  #remove(row) {
    row.item.remove();
    this.rows.splice(this.rows.indexOf(row), 1);
    if (this.rows.length === 0) this.#add('');
    this.rows[0].field.focus();
    this.#commit();
  }
}

/** Whether the target is the name of a series outside of calls, which is drawn as soon as it is selected. */
const isWhole = ({ value }) => !value.endsWith('.') && contextAt(value, value.length).call === null;
