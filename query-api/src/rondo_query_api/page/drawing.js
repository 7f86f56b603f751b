/** Requests the series of all targets and draws them, repeatedly while the range ends now. */

import { described, render } from './api.js';
import { readBy } from './grammar.js';
import { linesOf, MAX_LINES } from './lines.js';
import { notice } from './notice.js';
import { zoneOf } from './range.js';
import { epochOf, span, wallTime } from './times.js';

export class Drawing {
  constructor({ state, chart, legend, targets, status, notice: noticeHost }) {
    Object.assign(this, { state, chart, legend, targets, status, noticeHost, ahead: 0, empty: false, starting: false });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.draw(); });
  }

  /** The server's clock, epoch seconds. */
  now() {
    return Date.now() / 1000 + this.ahead;
  }

  /** Each target is a separate request, so that an error in one does not affect the others. */
  async draw() {
    clearTimeout(this.timer);
    this.requests?.abort();
    this.requests = new AbortController();
    const { signal } = this.requests;
    const wanted = this.state.value;
    const request = { ...wanted, tz: zoneOf(wanted) };
    const points = Math.max(100, Math.round(this.chart.host.clientWidth));
    const responses = await Promise.all(wanted.targets.map((target) => response(target, request, points, signal)));
    const waits = responses.every(isEmpty) && await isAnyKnown(wanted.targets, signal);
    if (signal.aborted) return;
    this.#show(responses, request, waits);
    if (wanted.refresh && epochOf(wanted.until, 0) !== Number(wanted.until)) {
      this.timer = setTimeout(() => { if (!document.hidden) this.draw(); }, wanted.refresh * 1000);
    }
  }

  #show(responses, { from, until, tz: zone }, waits) {
    const now = responses.find((each) => each.now)?.now;
    if (now) this.ahead = now - Date.now() / 1000;
    this.targets.showErrors(responses.map((each) => each.error));
    const drawn = linesOf(responses.flatMap((each) => each.series));
    const known = drawn.lines.some(({ last }) => last !== null);
    notice(this.noticeHost, this.#noticeFor(responses, drawn, known, waits));
    this.chart.host.hidden = !known;
    this.legend.show(drawn, this.chart.hidden);
    this.drawn = { ...drawn, zone };
    if (known) this.chart.draw(drawn, { ...this.#ends(drawn.table[0], from, until), zone });
    else this.chart.clear();
    this.status.textContent = drawn.total ? this.#status(drawn, zone) : '';
  }

  #noticeFor(responses, { total }, known, waits) {
    if (known) return null;
    if (responses.length === 0 && this.starting) return null;
    if (responses.length === 0) return this.empty ? 'noSeries' : 'noTarget';
    if (total) return 'noValues';
    if (responses.some((each) => each.error)) return 'failed';
    return waits ? 'noValueYet' : 'noMatch';
  }

  /** Ends of the chart; for times that only the server can parse, the first and last time of its response. */
  #ends(times, from, until) {
    return { from: epochOf(from, this.now()) ?? times[0], until: epochOf(until, this.now()) ?? times.at(-1) };
  }

  #status({ total, steps }, zone) {
    const counted = total > MAX_LINES ? `the first ${MAX_LINES} of ${total} series (narrow the targets to see others)` : `${total} series`;
    const slots = steps.length ? `, a value every ${steps.map(span).join(', ')}` : '';
    return `${counted}${slots}; as of ${wallTime(this.now(), zone).replace('T', ' ')} ${zone}`;
  }
}

const isEmpty = ({ series, error }) => !error && series.length === 0;

/** Whether a series that a target reads exists: `/render` returns no series of a policy that has stored nothing yet. */
async function isAnyKnown(targets, signal) {
  const found = targets.flatMap(readBy).map((wanted) => described({ ...wanted, limit: 1 }, signal).catch(() => null));
  return (await Promise.all(found)).some((each) => each?.series.length);
}

async function response(target, request, points, signal) {
  try {
    return { ...(await render(target, request, points, signal)), error: '' };
  } catch (error) {
    return { series: [], error: error.message };
  }
}
