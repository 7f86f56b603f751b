/** Asks for the targets and draws what comes; draws again while time goes on. */

import { render } from './api.js';
import { linesOf, MOST } from './lines.js';
import { notice } from './notice.js';
import { zoneOf } from './range.js';
import { epochOf, span, wallTime } from './times.js';

export class Drawing {
  constructor({ state, chart, legend, targets, status, notice: place }) {
    Object.assign(this, { state, chart, legend, targets, status, place, ahead: 0, empty: false });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.draw(); });
  }

  /** The server's clock, epoch seconds. */
  now() {
    return Date.now() / 1000 + this.ahead;
  }

  /** Each target is a request of its own: what is wrong with one leaves the others. */
  async draw() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const wanted = this.state.value;
    const asked = { ...wanted, tz: zoneOf(wanted) };
    const points = Math.max(100, Math.round(this.chart.host.clientWidth));
    const answers = await Promise.all(wanted.targets.map((target) => answer(target, asked, points, signal)));
    if (signal.aborted) return;
    this.#show(answers, asked);
    if (wanted.refresh && epochOf(wanted.until, 0) !== Number(wanted.until)) {
      this.timer = setTimeout(() => { if (!document.hidden) this.draw(); }, wanted.refresh * 1000);
    }
  }

  #show(answers, { from, until, tz: zone }) {
    const now = answers.find((each) => each.now)?.now;
    if (now) this.ahead = now - Date.now() / 1000;
    this.targets.tell(answers.map((each) => each.error));
    const drawn = linesOf(answers.flatMap((each) => each.series));
    const known = drawn.lines.some(({ last }) => last !== null);
    notice(this.place, this.#noticeFor(answers, drawn, known));
    this.chart.host.hidden = !known;
    this.legend.show(drawn, this.chart.hidden);
    this.drawn = { ...drawn, zone };
    if (known) this.chart.draw(drawn, { ...this.#ends(drawn.table[0], from, until), zone });
    else this.chart.clear();
    this.status.textContent = drawn.total ? this.#told(drawn, zone) : '';
  }

  #noticeFor(answers, { total }, known) {
    if (known) return null;
    if (answers.length === 0) return this.empty ? 'noSeries' : 'noTarget';
    if (total) return 'noValues';
    return answers.some((each) => each.error) ? 'failed' : 'noMatch';
  }

  /** Ends of the chart; of times that only the server can read, those of what it gave. */
  #ends(times, from, until) {
    return { from: epochOf(from, this.now()) ?? times[0], until: epochOf(until, this.now()) ?? times.at(-1) };
  }

  #told({ total, steps }, zone) {
    const counted = total > MOST ? `the first ${MOST} of ${total} series: narrow the targets to see others` : `${total} series`;
    const slots = steps.length ? `, a value each ${steps.map(span).join(', ')}` : '';
    return `${counted}${slots}; as of ${wallTime(this.now(), zone).replace('T', ' ')} ${zone}`;
  }
}

async function answer(target, asked, points, signal) {
  try {
    return { ...(await render(target, asked, points, signal)), error: '' };
  } catch (error) {
    return { series: [], error: error.message };
  }
}
