/** Links to the same series in other formats of the API, for scripts, mails and dashboards. */

import { file, parameters } from './api.js';
import { h } from './dom.js';
import { zoneOf } from './range.js';
import { authorization } from './token.js';

const FORMATS = { PNG: { format: 'png', width: 900, height: 400 }, SVG: { format: 'svg', width: 900, height: 400 }, CSV: { format: 'csv' }, JSON: { format: 'json' } };

/** Shows the links, none without a target. */
export function links(host, state) {
  const { targets: target, from, until } = state;
  const all = Object.entries(FORMATS).map(([name, format]) => {
    const query = parameters({ target, from, until, tz: zoneOf(state), ...format });
    return h('a', { href: `render?${query}`, on: { click: (event) => saved(event, query, `rondo.${format.format}`, host) } }, name);
  });
  host.replaceChildren(...(target.length ? ['From the API: ', ...all.flatMap((link, i) => (i ? [' · ', link] : [link]))] : []));
}

/** A link sends no token. With a token, the page requests the file itself and saves it. */
async function saved(event, query, name, host) {
  if (!authorization().Authorization) return;
  event.preventDefault();
  try {
    const url = URL.createObjectURL(await file(query));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    host.append(h('span', { className: 'error' }, ` ${error.message}`));
  }
}
