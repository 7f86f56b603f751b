/**
 * An element with properties, `aria-*`, `data-*` and `role` attributes, listeners (`on: {click}`) and children.
 * Text becomes text nodes, never markup: names of series may contain anything.
 */
export function h(tag, { on = {}, ...given } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (name in element && !name.includes('-')) element[name] = value;
    else element.setAttribute(name, value);
  }
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

let made = 0;

/** An id that is unique in the page. */
export const newId = (what) => `${what}-${++made}`;
