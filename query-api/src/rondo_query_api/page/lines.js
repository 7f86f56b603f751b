/** Series as the API gives them, made into lines: a table that the chart draws, and what the legend tells of each. */

import uPlot from './uplot/uPlot.esm.js';

/** More lines than this make neither a picture nor a legend. */
export const MOST = 100;

/** `{lines: [{name, last, min, max, mean}], table, total}`: `table` is times, then values of each line. */
export function linesOf(series) {
  const shown = series.slice(0, MOST);
  const tables = shown.map(({ datapoints }) => [datapoints.map((point) => point[1]), datapoints.map((point) => point[0])]);
  return {
    lines: shown.map(({ target, datapoints }) => ({ name: target, ...summary(datapoints) })),
    table: tables.length ? uPlot.join(tables) : [[]],
    total: series.length,
    steps: [...new Set(tables.filter(([times]) => times.length > 1).map(([times]) => times[1] - times[0]))].sort((a, b) => a - b),
  };
}

function summary(datapoints) {
  const known = datapoints.map(([value]) => value).filter((value) => value !== null);
  if (known.length === 0) return { last: null, min: null, max: null, mean: null };
  let [min, max, sum] = [Infinity, -Infinity, 0];
  for (const value of known) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  return { last: known.at(-1), min, max, mean: sum / known.length };
}
