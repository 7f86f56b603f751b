/** Texts that replace an empty chart, and say what to do. */

import { h } from './dom.js';
import { commands } from './marks.js';

const EXAMPLE = 'echo "shop.orders 42 $(date +%s)" | kafka-console-producer.sh --bootstrap-server broker1:9092 --topic points';

const NOTICES = {
  noSeries: () => [
    h('h2', {}, 'No series yet'),
    h('p', {}, 'Publish points to a topic that Rondo reads (by default ', h('code', {}, 'points'),
      ') in any supported format. For example, one line by hand:'),
    commands(EXAMPLE),
    h('p', {}, 'A series appears with its first point, its graph with the next ones. Then reload this page.'),
  ],
  noTarget: () => [
    h('h2', {}, 'Choose a series'),
    h('p', {}, 'Open the tree and select a series, or write a target above: ', h('code', {}, '*'),
      ' matches any node, and functions such as ', h('code', {}, 'sumSeries(…)'), ' take it as an argument.'),
    h('p', {}, 'Machines that run the host collector have their CPU at ', h('code', {}, 'hosts.*.cpu.busy'), '.'),
  ],
  noMatch: () => [h('h2', {}, 'No such series'), h('p', {}, 'No series matches these targets.')],
  noValueYet: () => [
    h('h2', {}, 'No value stored yet'),
    h('p', {}, 'The series exists. Rondo stores a value once a slot of its policy has closed: with a step of one hour, that can take two hours.'),
    h('p', {}, h('code', {}, './rondo why NAME'), ' shows where its points are.'),
  ],
  noValues: () => [h('h2', {}, 'No values in this time range'), h('p', {}, 'The series exist. Choose another time range; a new series has values once its first slot has closed.')],
  failed: () => [h('h2', {}, 'Not drawn'), h('p', {}, 'The error is shown below the target.')],
};

/** Shows a notice; null removes it. */
export function notice(host, name) {
  host.hidden = name === null;
  if (host.dataset.name === String(name)) return;
  host.dataset.name = String(name);
  host.replaceChildren(...(name ? NOTICES[name]() : []));
}
