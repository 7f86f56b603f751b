/** Deletion of series that were found: the selection, the request, and its progress. */

import { deleteSeries, deletionOffer, names, remaining } from './api.js';
import { confirmWrite } from './confirm.js';
import { h } from './dom.js';
import { counted } from './numbers.js';
import { Selection } from './selection.js';

const POLL_MS = 1000;
const STALLED_MS = 20_000;
const TOKENS = 'RONDO_API_WRITE_TOKENS';

export class Deletion {
  /** `deleted` is called after series were deleted. */
  constructor(host, deleted) {
    this.deleted = deleted;
    this.offer = deletionOffer().catch(() => ({ missing: [TOKENS] })); // the other requests show why
    this.count = h('span', { 'aria-live': 'polite' });
    this.all = h('button', { type: 'button', hidden: true, on: { click: () => this.#selectAll() } }, 'Select all found');
    this.button = h('button', { type: 'button', className: 'danger', disabled: true, on: { click: () => this.#ask() } }, 'Delete …');
    this.error = h('p', { className: 'error', role: 'alert' });
    this.controls = h('div', { className: 'controls', role: 'group', 'aria-label': 'Selected series', hidden: true },
      this.count, this.all, this.button);
    this.hint = h('p', { className: 'hint', hidden: true });
    this.progress = h('div', { className: 'progress', 'aria-live': 'polite' });
    this.waiting = false;
    host.append(this.hint, this.controls, this.error, this.progress);
  }

  /** Begins an empty selection among the series that a search has found; null if this API deletes no series. */
  async begin(search, series, more) {
    const { missing } = await this.offer;
    this.search = search;
    this.selection = new Selection(() => this.#show());
    this.error.textContent = '';
    this.controls.hidden = missing.length > 0 || series.length === 0;
    this.all.hidden = !more || Object.values(search).every((part) => part.length === 0);
    this.hint.hidden = missing.length === 0 || missing.includes(TOKENS);
    this.hint.textContent = `To delete series here, set ${missing.join(', ')}.`;
    this.#show();
    return missing.length ? null : this.selection;
  }

  #show() {
    const { size } = this.selection.names;
    this.count.textContent = `${size ? counted(size) : 'No series'} selected`;
    this.button.textContent = size ? `Delete ${counted(size)} …` : 'Delete …';
    this.button.disabled = size === 0 || this.waiting;
  }

  async #selectAll() {
    const { selection } = this;
    this.error.textContent = '';
    this.all.disabled = true;
    try {
      const { series, more } = await names(this.search);
      if (more) {
        this.error.textContent = `More than ${series.length.toLocaleString('en')} series: narrow the search, or use ./rondo series delete.`;
      } else if (selection === this.selection) {
        selection.replace(series);
      }
    } catch (error) {
      this.error.textContent = error.message;
    } finally {
      this.all.disabled = false;
    }
  }

  async #ask() {
    const ids = [...this.selection.names.keys()];
    const { limit } = await this.offer;
    this.error.textContent = '';
    if (ids.length > limit) {
      this.error.textContent = `${counted(ids.length)}, but at most ${limit.toLocaleString('en')} are deleted at once.`;
    } else if (await confirmWrite(deletionOf([...this.selection.names.values()]), (token) => deleteSeries(ids, token))) {
      this.waiting = true;
      this.selection.replace([]);
      await this.#wait(ids);
      this.waiting = false;
      this.#show();
      if (this.selection.names.size === 0) this.deleted(); // a refresh would drop a selection made meanwhile
    }
  }

  /** Shows how many series are deleted, until all are or the user stops waiting. */
  async #wait(ids) {
    const text = h('p', { className: 'status' });
    const trouble = h('p', { className: 'error' });
    const bar = h('progress', { max: ids.length, value: 0, 'aria-label': 'Deleted series' });
    const stop = h('button', { type: 'button', hidden: true, on: { click: () => { stopped = true; } } }, 'Stop waiting');
    this.progress.replaceChildren(bar, text, trouble, stop);
    let stopped = false;
    let left = ids.length;
    for (let since = Date.now(); left > 0 && !stopped; await pause()) {
      text.textContent = `Deleting ${counted(ids.length)}, deleted: ${(ids.length - left).toLocaleString('en')}`;
      const { series, error } = await remaining(ids).then(({ series }) => ({ series }), (error) => ({ error }));
      if (series < left) {
        left = series;
        since = Date.now();
      }
      bar.value = ids.length - left;
      stop.hidden = Date.now() - since < STALLED_MS;
      trouble.textContent = error?.message ?? (stop.hidden ? '' : STALLED);
    }
    const all = `Deleted ${counted(ids.length)}.`;
    const rest = `${counted(left)} of ${ids.length.toLocaleString('en')} are not deleted yet. Kafka keeps the request.`;
    this.progress.replaceChildren(h('p', { className: 'status' }, left ? rest : all));
  }
}

const deletionOf = (names) => ({
  what: `Delete ${counted(names.length)}`,
  right: 'delete',
  names,
  consequence: 'The series and their history are deleted, which cannot be undone. A series that sends again is a new one.',
  className: 'danger',
});

const STALLED = 'None was deleted for 20 s: the topology or the sink may be down. Kafka keeps the request until they run.';

const pause = () => new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
