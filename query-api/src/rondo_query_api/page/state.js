/** What the page shows, as its address says it: a link shows the same. */

const DEFAULTS = { targets: [], from: '-1h', until: 'now', tz: '', refresh: 10 };

/** State of an address's query; what it does not say is the default. */
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

/** Query of an address; `/render` understands it, too. */
export function toQuery({ targets, ...rest }) {
  const query = new URLSearchParams(targets.map((target) => ['target', target]));
  for (const [name, value] of Object.entries(rest)) {
    if (value !== DEFAULTS[name]) query.set(name, value);
  }
  const text = query.toString();
  return text ? `?${text}` : location.pathname;
}

/** The state: `change` writes the address and sends the event `change`, as going back and forth does. */
export class State extends EventTarget {
  constructor() {
    super();
    this.value = fromQuery(location.search);
    addEventListener('popstate', () => this.#become(fromQuery(location.search)));
  }

  change(part) {
    const next = { ...this.value, ...part };
    if (toQuery(next) === toQuery(this.value)) return;
    history.pushState(null, '', toQuery(next));
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
