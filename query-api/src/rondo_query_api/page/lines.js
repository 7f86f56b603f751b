/** Series of the API as lines: a table for the chart and a summary of each line for the legend. */

import uPlot from './uplot/uPlot.esm.js';

/** More lines than this are unreadable in chart and legend. */
export const MAX_LINES = 100;

/** `{lines: [{name, last, min, max, mean}], table, total, steps}`: `table` is times, then the values of each line. */
export function linesOf(series) {
  const shown = series.slice(0, MAX_LINES);
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
