/** Selected series, shown or not, and the checkboxes of the shown ones. */

import { h } from './dom.js';

export class Selection {
  /** `changed` is called after every change. */
  constructor(changed) {
    this.names = new Map(); // by id
    this.boxes = new Map(); // of the series that are shown, by id
    this.boxOfAll = h('input', { type: 'checkbox', 'aria-label': 'Select all shown', on: { change: () => this.#toggleAll() } });
    this.changed = changed;
  }

  /** Checkbox of a series that is shown. */
  box({ id, name }) {
    const toggle = () => {
      if (box.checked) this.names.set(id, name);
      else this.names.delete(id);
      this.#show();
    };
    const box = h('input', { type: 'checkbox', 'aria-label': `Select ${name}`, on: { change: toggle } });
    this.boxes.set(id, { box, name });
    return box;
  }

  /** Selects these series, shown or not, and no others. */
  replace(series) {
    this.names = new Map(series.map(({ id, name }) => [id, name]));
    this.#show();
  }

  #toggleAll() {
    for (const [id, { name }] of this.boxes) {
      if (this.boxOfAll.checked) this.names.set(id, name);
      else this.names.delete(id);
    }
    this.#show();
  }

  #show() {
    for (const [id, { box }] of this.boxes) box.checked = this.names.has(id);
    const shown = [...this.boxes.keys()].filter((id) => this.names.has(id)).length;
    this.boxOfAll.checked = shown === this.boxes.size;
    this.boxOfAll.indeterminate = shown > 0 && shown < this.boxes.size;
    this.changed();
  }
}
