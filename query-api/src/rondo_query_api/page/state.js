/** The state of the page, which its address holds: a link shows the same. */

const DEFAULTS = { targets: [], from: '-1h', until: 'now', tz: '', refresh: 10 };

/** State in the query of an address; missing parts have their defaults. */
export function fromQuery(search) {
  const query = new URLSearchParams(search);
  const refresh = Number(query.get('refresh') ?? DEFAULTS.refresh);
  return {
    targets: query.getAll('target').filter((target) => target.trim()),
    from: query.get('from') || DEFAULTS.from,
    until: query.get('until') || DEFAULTS.until,
    tz: isZone(query.get('tz')) ? query.get('tz') : DEFAULTS.tz,
    refresh: Number.isFinite(refresh) && refresh >= 0 ? refresh : DEFAULTS.refresh,
  };
}

/** Query of the address of a state; `/render` accepts the same parameters. */
export function toQuery({ targets, ...rest }) {
  const query = new URLSearchParams(targets.map((target) => ['target', target]));
  for (const [name, value] of Object.entries(rest)) {
    if (value !== DEFAULTS[name]) query.set(name, value);
  }
  const text = query.toString();
  return text ? `?${text}` : location.pathname;
}

/** The state. Changes, and navigation in the browser's history, send the event `change`. */
export class State extends EventTarget {
  constructor() {
    super();
    this.value = fromQuery(location.search);
    addEventListener('popstate', () => this.#become(fromQuery(location.search)));
  }

  /** Changes a part of the state, as a new entry of the browser's history. */
  change(part) {
    const next = { ...this.value, ...part };
    if (toQuery(next) === toQuery(this.value)) return;
    history.pushState(null, '', toQuery(next));
    this.#become(next);
  }

  /** Changes a part of the state in the current entry of the browser's history. */
  replace(part) {
    const next = { ...this.value, ...part };
    history.replaceState(null, '', toQuery(next));
    this.#become(next);
  }

  #become(next) {
    this.value = next;
    this.dispatchEvent(new Event('change'));
  }
}

function isZone(name) {
  try {
    return Boolean(name && new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
