/** What stands in place of a chart, and says what to do. */

import { h } from './dom.js';

const EXAMPLE = 'echo "shop.orders 42 $(date +%s)" | kafka-console-producer.sh --bootstrap-server broker1:9092 --topic points';

const NOTICES = {
  noSeries: () => [
    h('h2', {}, 'No series yet'),
    h('p', {}, 'Publish points to a topic that Rondo reads. Unless you named others, that is ', h('code', {}, 'points'),
      ', in any format that it knows; one line by hand:'),
    h('pre', {}, EXAMPLE),
    h('p', {}, 'The second point of a series brings its first value. Then load this page again.'),
  ],
  noTarget: () => [
    h('h2', {}, 'Choose a series'),
    h('p', {}, 'Open the tree and press a series, or write a target above: ', h('code', {}, '*'),
      ' stands for any node, and functions go around it.'),
  ],
  noMatch: () => [h('h2', {}, 'No such series'), h('p', {}, 'Nothing matches these targets.')],
  noValues: () => [h('h2', {}, 'No values in this time'), h('p', {}, 'The series are there. Choose another time.')],
  failed: () => [h('h2', {}, 'Not drawn'), h('p', {}, 'What is wrong is said at the target.')],
};

/** Shows one of the notices; none with null. */
export function notice(host, name) {
  host.hidden = name === null;
  if (host.dataset.name === String(name)) return;
  host.dataset.name = String(name);
  host.replaceChildren(...(name ? NOTICES[name]() : []));
}
