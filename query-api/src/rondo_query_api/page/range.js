/** Selects the time range (a span until now, or two times in a zone) and the refresh interval. */

import { h } from './dom.js';
import { browserZone, epochOf, epochOfWallTime, offsetName, wallTime } from './times.js';

const SPANS = {
  '-5min': '5 minutes', '-15min': '15 minutes', '-1h': '1 hour', '-3h': '3 hours', '-6h': '6 hours', '-12h': '12 hours',
  '-1d': '1 day', '-2d': '2 days', '-7d': '7 days', '-30d': '30 days', '-90d': '90 days', '-1y': '1 year',
};
const REFRESHES = { 0: 'Off', 5: '5 s', 10: '10 s', 30: '30 s', 60: '1 min', 300: '5 min' };
const BETWEEN = 'between';

export const zoneOf = ({ tz }) => tz || browserZone;

export class Range {
  /** `now()`: the server's clock, epoch seconds; `change(part of the state)`. */
  constructor(host, now, change) {
    Object.assign(this, { now, change, state: {} });
    this.span = select('Time', () => this.#spanChosen());
    this.from = timeField('From', () => this.#timesChosen());
    this.until = timeField('Until', () => this.#timesChosen());
    this.zone = select('Time zone', () => change({ tz: this.zone.value === browserZone ? '' : this.zone.value }));
    this.refresh = select('Refresh', () => change({ refresh: Number(this.refresh.value) }));
    host.append(
      button('‹', 'Earlier', () => this.#move(-0.5, -0.5)), this.span, button('›', 'Later', () => this.#move(0.5, 0.5)),
      button('−', 'Zoom out', () => this.#move(-0.5, 0.5)), this.from, this.until, this.zone,
      h('label', { class: 'refresh' }, h('span', { 'aria-hidden': 'true', title: 'Refresh' }, '↻'), this.refresh),
    );
  }

  show(state) {
    this.state = state;
    const zone = zoneOf(state);
    const relative = state.until === 'now' && state.from in SPANS;
    const times = this.#epochs();
    const asWritten = relative || (times && state.until !== 'now') ? {} : { [state.from]: `${state.from} to ${state.until}` };
    fill(this.span, { ...named('Last ', SPANS), ...asWritten, [BETWEEN]: 'Between …' });
    const between = !relative && Object.keys(asWritten).length === 0;
    this.span.value = between ? BETWEEN : state.from;
    this.from.hidden = this.until.hidden = !between;
    if (between) [this.from.value, this.until.value] = times.map((time) => wallTime(time, zone));
    const offset = ` ${offsetName(this.now(), zone)}`;
    fill(this.zone, { ...Object.fromEntries([browserZone, 'UTC', zone, ...Intl.supportedValuesOf('timeZone')].map((name) =>
      [name, name + (name === zone ? offset : '')])) });
    this.zone.value = zone;
    fill(this.refresh, { ...REFRESHES, [state.refresh]: REFRESHES[state.refresh] ?? `${state.refresh} s` });
    this.refresh.value = state.refresh;
  }

  /** Epochs of from and until; null if only the server can parse one of them. */
  #epochs() {
    const times = [this.state.from, this.state.until].map((text) => epochOf(text, this.now()));
    return times.includes(null) ? null : times;
  }

  #spanChosen() {
    if (this.span.value !== BETWEEN) return this.change({ from: this.span.value, until: 'now' });
    const [from, until] = this.#epochs() ?? [this.now() - 3600, this.now()];
    return this.change({ from: String(Math.floor(from)), until: String(Math.floor(until)) });
  }

  #timesChosen() {
    const [from, until] = [this.from, this.until].map(({ value }) => epochOfWallTime(value, zoneOf(this.state)));
    if (from < until) this.change({ from: String(from), until: String(until) });
  }

  /** Moves both ends by shares of the length, but not beyond now. */
  #move(first, last) {
    const [from, until] = this.#epochs() ?? [this.now() - 3600, this.now()];
    const length = until - from;
    const over = Math.max(0, until + last * length - this.now());
    const [start, end] = [from + first * length - over, until + last * length - over];
    this.change({ from: String(Math.floor(start)), until: String(Math.floor(end)) });
  }
}

const named = (prefix, names) => Object.fromEntries(Object.entries(names).map(([key, text]) => [key, prefix + text]));

const button = (text, name, click) =>
  h('button', { type: 'button', class: 'plain', 'aria-label': name, title: name, on: { click } }, text);

const select = (name, change) => h('select', { 'aria-label': name, title: name, on: { change } });

const timeField = (name, change) =>
  h('input', { type: 'datetime-local', step: '1', 'aria-label': name, hidden: true, on: { change } });

function fill(element, texts) {
  element.replaceChildren(...Object.entries(texts).map(([value, text]) => h('option', { value }, text)));
}
