/** The chart: uPlot in the colours of the page, with times in the zone. Dragging selects a time range. */

import { short } from './numbers.js';
import { colour } from './theme.js';
import uPlot from './uplot/uPlot.esm.js';

const COLOURS = 10;
const FONT = '12px system-ui, sans-serif';
const DAY = '\n{D} {MMM}';
const TIMES = [ // minimum distance of ticks, label, and its addition when the year, month or day changes
  [31536000, '{YYYY}', null, null, null, null, null, null, 1],
  [2419200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', DAY, null, DAY, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', DAY, null, DAY, null, null, null, 1],
];
const UPRIGHT = /^(events|drawAsInfinite)\(/; // drawn as vertical lines, whatever their values

/** Name of the colour of line number `i`. */
export const lineColour = (i) => `--line-${i % COLOURS}`;

export class Chart {
  /** `zoomed(from, until)`: epoch seconds; `hovered(i)`: index of the time under the pointer, null if there is none. */
  constructor(host, { zoomed, hovered }) {
    Object.assign(this, { host, zoomed, hovered, hidden: new Set() });
    new ResizeObserver(() => this.plot?.setSize(this.#size())).observe(host);
  }

  /** Draws lines over [from, until]. Redrawing the same lines keeps the uPlot instance, and with it the cursor. */
  draw({ lines, table }, { from, until, zone }) {
    this.range = [from, until];
    const kind = JSON.stringify([zone, lines.map(({ name }) => name)]);
    if (this.plot && kind === this.kind) return this.plot.setData(table);
    this.clear();
    this.kind = kind;
    this.drawn = [{ lines, table }, { from, until, zone }];
    this.plot = new uPlot(this.#options(lines, zone), table, this.host);
    return undefined;
  }

  /** Draws the same lines in the current colours. */
  recolour() {
    if (!this.plot) return;
    const { data } = this.plot;
    this.kind = null;
    this.draw({ ...this.drawn[0], table: data }, { ...this.drawn[1], from: this.range[0], until: this.range[1] });
  }

  clear() {
    this.plot?.destroy();
    this.plot = null;
  }

  /** Shows or hides the line of that name. */
  toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.plot.series.forEach(({ label }, i) => {
      if (i && label === name) this.plot.setSeries(i, { show: !this.hidden.has(name) });
    });
  }

  /** Highlights line number `i`; null: none. */
  focus(i) {
    this.plot?.setSeries(i === null ? null : i + 1, { focus: true });
  }

  #size() {
    return { width: this.host.clientWidth, height: this.host.clientHeight };
  }

  #options(lines, zone) {
    const [ink, grid] = [colour('--muted'), colour('--grid')];
    const axis = { stroke: ink, font: FONT, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 } };
    return {
      ...this.#size(),
      tzDate: (epoch) => uPlot.tzDate(new Date(epoch * 1000), zone),
      scales: { x: { range: () => this.range }, upright: { range: [0, 1] } },
      axes: [{ ...axis, values: TIMES, space: 70 }, { ...axis, values: (_, ticks) => ticks.map(short), size: widthOfTexts }],
      series: [{}, ...lines.map((line, i) => this.#series(line, i, lines.length))],
      legend: { show: false },
      focus: { alpha: 0.25 },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
      hooks: {
        setSelect: [(plot) => this.#selected(plot)],
        setCursor: [(plot) => this.hovered(plot.cursor.idx ?? null)],
      },
    };
  }

  #series({ name }, i, count) {
    const stroke = colour(lineColour(i));
    const common = { label: name, stroke, width: 1.6, show: !this.hidden.has(name) };
    if (UPRIGHT.test(name)) return { ...common, scale: 'upright', paths: uprights, points: { show: false } };
    return {
      ...common,
      fill: count === 1 ? stroke.replace('rgb(', 'rgba(').replace(')', ', 0.12)') : undefined,
      points: { show: true, size: 4, fill: stroke, filter: isolated },
    };
  }

  #selected(plot) {
    const { left, width } = plot.select;
    if (width < 4) return;
    const [from, until] = [left, left + width].map((x) => plot.posToVal(x, 'x'));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (until - from >= 2) this.zoomed(Math.floor(from), Math.ceil(until));
  }
}

/** A line from the bottom to the top at each value that is known and not 0. */
function uprights(plot, line, first, last) {
  const { top, height } = plot.bbox;
  const stroke = new Path2D();
  for (let i = first; i <= last; i++) {
    if (!plot.data[line][i]) continue;
    const x = plot.valToPos(plot.data[0][i], 'x', true);
    stroke.moveTo(x, top);
    stroke.lineTo(x, top + height);
  }
  return { stroke, fill: null, clip: null };
}

/** Indexes of known values between unknown ones: no line connects them, so they are drawn as points. */
function isolated(plot, i) {
  const values = plot.data[i];
  const known = [...values.keys()].filter((k) => typeof values[k] === 'number');
  const unknownBetween = (a, b) => {
    for (let k = a + 1; k < b; k++) if (values[k] === null) return true;
    return false;
  };
  return known.filter((k, n) => (n === 0 || unknownBetween(known[n - 1], k)) && (n === known.length - 1 || unknownBetween(k, known[n + 1])));
}

function widthOfTexts(plot, texts, axis, pass) {
  if (pass > 1 || !texts) return plot.axes[axis]._size ?? 50;
  plot.ctx.font = FONT;
  return Math.ceil(Math.max(...texts.map((text) => plot.ctx.measureText(text).width))) + 18;
}
