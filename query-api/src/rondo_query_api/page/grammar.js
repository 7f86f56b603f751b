/** The part of the grammar of targets that completion and help need; the server parses all of it. */

/** A name, escaped for use in a target: a backslash before characters of the grammar. */
export const escaped = (name) => name.replace(/[\\(){},'"|\s]/g, '\\$&');

export const unescaped = (text) => text.replace(/\\(.)/gs, '$1');

/** A string literal of a target: in double quotes, or in single quotes if it contains double ones. */
export const quoted = (text) => (text.includes('"') ? `'${text.replaceAll("'", "\\'")}'` : `"${text}"`);

/**
 * Context of the cursor: the `word` before it, which begins at `start`; `quote` if it is a string; the innermost `call`
 * around it with the number of the argument, null outside of calls.
 */
export function contextAt(text, cursor) {
  const calls = [];
  let start = 0;
  let quote = '';
  let braces = 0;
  let piped = 0;
  for (let i = 0; i < cursor; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (quote) {
      if (c === quote) [quote, start] = ['', i + 1];
    } else if (c === '"' || c === "'") [quote, start] = [c, i + 1];
    else if (c === '{') braces++;
    else if (c === '}') braces--;
    else if (braces <= 0 && '(),| '.includes(c)) {
      if (c === '(') calls.push({ name: text.slice(start, i), argument: piped });
      else if (c === ')') calls.pop();
      else if (c === ',' && calls.length) calls.at(-1).argument++;
      // The expression before a pipe is the first argument of the call after it.
      if (c !== ' ') piped = c === '|' ? 1 : 0;
      start = i + 1;
    }
  }
  return { start, quote, word: text.slice(start, cursor), call: calls.at(-1) ?? null };
}

const STRING_WORD_OR_END = /"([^"]*)"|'((?:\\.|[^'\\])*)'|((?:\\.|\{[^}]*\}|[^\\(){},'"|\s])+)\s*(\(?)|\)/gs;

/** What a target reads, as parameters of `/series/find`: `{query}` of a path, `{expr: [...]}` of seriesByTag. */
export function readBy(target) {
  const read = [];
  let expr = null;
  for (const [, double, single, word, call] of target.matchAll(STRING_WORD_OR_END)) {
    if (word && !call) read.push({ query: unescaped(word) });
    else if (word === 'seriesByTag') read.push({ expr: expr = [] });
    else if ((double ?? single) === undefined) expr = null;
    else expr?.push(double ?? unescaped(single));
  }
  return read.filter((each) => each.query || each.expr.length);
}
