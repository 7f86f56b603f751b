/** Client of the query API. All paths are relative to the page, so that it works under any prefix. */

import { requestToken, authorization, wantsToken } from './token.js';

/** The API refused a request or did not answer; the message is the line of text in its response. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Nodes that match the pattern, `[{id, text, leaf, expandable}]`. */
export const find = (query, signal) => get('metrics/find', { query }, signal);

/** Every function by name: `{name, function, description, group, params}`. */
export const functions = () => get('functions', {});

/** Tags of the series that match `expr`. */
export const tagNames = (tagPrefix, expr, signal) =>
  get('tags/autoComplete/tags', { tagPrefix, expr, limit: 100 }, signal);

/** Values of the tag in the series that match `expr`. */
export const tagValues = (tag, valuePrefix, expr, signal) =>
  get('tags/autoComplete/values', { tag, valuePrefix, expr, limit: 100 }, signal);

/** Number of series by policy, source, prefix, tag or value: `{share, series, new, groups: [{key, series, new, values}]}`. */
export const cardinality = (parts, signal) => get('series/cardinality', parts, signal);

/** Series with their location and last value, `{series: [{name, policy, …}], more}`. */
export const described = (parts, signal) => get('series/find', parts, signal);

/** Settings that are missing to delete series, and the maximum number of series of a deletion, `{missing, limit}`. */
export const deletionOffer = () => get('series/deletion', {});

/** Ids and names of all series that `described` would find, `{series: [{id, name}], more}`. */
export const names = (parts) => get('series/names', parts);

/** Requests the deletion of the series with these ids; the token must be one that may write. */
export const deleteSeries = (ids, token) => post('series/delete', { id: ids }, token);

/** How many of these series still exist, `{series}`. */
export const remaining = (ids) => post('series/remaining', { id: ids });

/** The newest dead letters, of one reason if it is not empty, `{dead_letters: [{id, time, reason, detail, source, excerpt, …}], more}`. */
export const deadLetters = (reason, limit) => get('dead-letters', { reason, limit });

/** Resends the dead letters with these ids, `{sent, not_sent: [{reason, ids}]}`; the token must be one that may write. */
export const resendDeadLetters = (ids, token) => post('dead-letters/resend', { id: ids }, token);

/** Status of the parts of the pipeline, `{at, state, stages, problems, drops, policies, …}`. */
export const status = () => get('status', { format: 'json' });

/** Series of one target, `[{target, tags, datapoints: [[value, epoch s]]}]`, and the server's clock, epoch seconds. */
export async function render(target, { from, until, tz }, maxDataPoints, signal) {
  const body = parameters({ target, from, until, tz, maxDataPoints, format: 'json' });
  const response = await send('render', { method: 'POST', body, signal });
  return { series: await response.json(), now: Date.parse(response.headers.get('Date')) / 1000 };
}

/** Query parameters; a list repeats its name, empty values are omitted. */
export function parameters(values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of [value].flat()) if (each !== '' && each !== undefined) query.append(name, each);
  }
  return query;
}

async function get(path, values, signal) {
  const response = await send(`${path}?${parameters(values)}`, { signal });
  return response.json();
}

async function post(path, values, token) {
  const options = { method: 'POST', body: JSON.stringify(values), headers: { 'Content-Type': 'application/json' } };
  return (await send(path, options, token)).json();
}

/** Body of a response of `/render`, as a file. */
export async function file(query) {
  return (await send(`render?${query}`, {})).blob();
}

/** Sends the token, by default the page's. If that one is refused, the page asks the user for another. */
async function send(path, options, token) {
  let response;
  const credentials = token ? { Authorization: `Bearer ${token}` } : authorization();
  try {
    response = await fetch(path, { ...options, headers: { ...options.headers, ...credentials } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError('the query API does not answer');
  }
  if (response.ok) return response;
  if (!token && wantsToken(response) && await requestToken(credentials)) return send(path, options);
  const line = (await response.text()).trim().split('\n')[0].slice(0, 500);
  throw new ApiError(line || `${path} answered ${response.status}`, response.status);
}
