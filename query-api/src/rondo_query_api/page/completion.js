/** Completion of targets: names of functions, nodes of the tree, tags inside of seriesByTag. */

import { find, tagNames, tagValues } from './api.js';
import { contextAt, escaped, unescaped } from './grammar.js';

const MOST = 60;

/** Suggestions at the cursor of a target; `catalogue` is every function by name. */
export async function complete(catalogue, text, cursor, signal) {
  const { start, quote, word, call } = contextAt(text, cursor);
  const put = (completed, rest = {}) => ({
    text: text.slice(0, start) + completed + text.slice(cursor), cursor: start + completed.length, ...rest,
  });
  if (quote) return call?.name === 'seriesByTag' ? tagSuggestions(word, put, signal) : [];
  if (/^[\d+-]/.test(word)) return [];
  const [functions, nodes] = [functionSuggestions(catalogue, word, put), nodeSuggestions(word, put, signal)];
  return [...functions, ...(await nodes)].slice(0, MOST);
}

function functionSuggestions(catalogue, word, put) {
  if (!word || word.includes('.')) return [];
  return Object.values(catalogue)
    .filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase()))
    .map((each) => put(`${each.name}(`, { label: each.name, detail: each.group, describes: each.name, more: true }));
}

async function nodeSuggestions(word, put, signal) {
  const parent = word.slice(0, word.lastIndexOf('.') + 1);
  const nodes = await find(`${unescaped(word)}*`, signal);
  return nodes.map(({ text, leaf }) => {
    const name = parent + escaped(text) + (leaf ? '' : '.');
    return put(name, { label: text, detail: leaf ? 'series' : 'branch', more: !leaf });
  });
}

/** For `dc` the tags with this prefix, for `dc=a` the values with this prefix. */
async function tagSuggestions(word, put, signal) {
  const [, tag, operator, value] = /^([^=!]+)(!=~|=~|!=|=)(.*)$/.exec(word) ?? [];
  if (!operator) {
    const names = await tagNames(word, [], signal);
    return names.map((name) => put(`${name}=`, { label: name, detail: 'tag', more: true }));
  }
  const values = await tagValues(tag, value, [], signal);
  return values.map((each) => put(`${tag}${operator}${each}`, { label: each, detail: tag }));
}
