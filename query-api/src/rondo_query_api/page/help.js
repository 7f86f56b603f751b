/** The line under a target: the function at the cursor, its parameters and its description. */

import { h } from './dom.js';
import { contextAt } from './grammar.js';

/** Nodes that explain the call around the cursor, or the function `name`; an empty list if there is none. */
export function helpFor(catalogue, text, cursor, name = null) {
  const call = name ? { name, argument: -1 } : contextAt(text, cursor).call;
  const known = call && catalogue[call.name];
  if (!known) return [];
  const last = known.params.length - 1;
  const current = known.params[last]?.multiple ? Math.min(call.argument, last) : call.argument;
  const params = known.params.flatMap((param, i) => [i ? ', ' : '', parameter(param, i === current)]);
  return [
    h('code', {}, h('b', {}, known.name), '(', ...params, ')'), ' ',
    h('span', { class: 'group' }, known.group), ' ', known.description.split('\n\n')[0],
  ];
}

function parameter({ name, type, required, multiple, default: value }, current) {
  const text = `${multiple ? '*' : ''}${name}${required || multiple ? '' : `=${value ?? 'None'}`}`;
  return h(current ? 'mark' : 'span', { title: type }, text);
}
