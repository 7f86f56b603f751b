/** The same as the API gives it, for scripts, mails and dashboards. */

import { parameters } from './api.js';
import { h } from './dom.js';
import { zoneOf } from './range.js';

const FORMATS = { PNG: { format: 'png', width: 900, height: 400 }, SVG: { format: 'svg', width: 900, height: 400 }, CSV: { format: 'csv' }, JSON: { format: 'json' } };

/** Shows the links, none without a target. */
export function links(host, state) {
  const { targets: target, from, until } = state;
  const all = Object.entries(FORMATS).map(([name, format]) =>
    h('a', { href: `render?${parameters({ target, from, until, tz: zoneOf(state), ...format })}` }, name));
  host.replaceChildren(...(target.length ? ['From the API: ', ...all.flatMap((link, i) => (i ? [' · ', link] : [link]))] : []));
}
