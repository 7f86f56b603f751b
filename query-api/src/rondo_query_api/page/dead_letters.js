/** Dead letters: shows the newest ones on demand and resends selected ones; without Kafka, shows the commands for both. */

import { deadLetters, resendDeadLetters } from './api.js';
import { confirmWrite } from './confirm.js';
import { h } from './dom.js';
import { bytes, card, commands, page } from './marks.js';
import { Selection } from './selection.js';

const LIMIT = 50;
const KAFKA = 'RONDO_API_KAFKA_BOOTSTRAP_SERVERS';
const TOKENS = 'RONDO_API_WRITE_TOKENS';
const COMMAND = './rondo dead-letters';

/** The card. A new status does not change it: `show` refills it only if the API offers something else. */
export class DeadLetters {
  constructor(host) {
    this.host = host;
    this.offered = '';
  }

  show(facts) {
    const { missing } = facts.dead_letters;
    const dropped = facts.drops.filter((each) => each.is_dead_letter).map((each) => each.reason);
    const offered = JSON.stringify([facts.dead_letters, missing.includes(KAFKA) && dropped]);
    if (offered === this.offered) return;
    this.offered = offered;
    if (!missing.includes(KAFKA)) this.host.replaceChildren(this.#card(facts));
    else this.host.replaceChildren(...(dropped.length ? [withoutKafka(facts, dropped)] : []));
  }

  #card(facts) {
    const { reasons, missing } = facts.dead_letters;
    this.mayResend = !missing.includes(TOKENS);
    this.reason = h('select', { 'aria-label': 'Reason' },
      h('option', { value: '' }, 'any reason'), ...reasons.map((each) => h('option', { value: each }, each)));
    this.found = h('p', { className: 'status', 'aria-live': 'polite' });
    this.error = h('p', { className: 'error', role: 'alert' });
    this.list = h('ul', { className: 'instances' });
    this.all = h('label', {});
    this.button = h('button', { type: 'button', className: 'primary', on: { click: () => this.#resend() } });
    this.controls = h('div', { className: 'controls', role: 'group', 'aria-label': 'Selected dead letters', hidden: true }, this.all, this.button);
    this.reason.addEventListener('change', () => this.#find());
    return card('Dead letters',
      h('p', { className: 'hint' }, 'Records, and pieces of them, that could not be stored; Kafka keeps them for 7 days. ',
        page(facts, 'docs/how-to/dead-letters.md', 'Inspect and resend dead letters')),
      h('div', { className: 'controls' }, this.reason,
        h('button', { type: 'button', on: { click: () => this.#find() } }, 'Show the newest')),
      this.mayResend ? null : h('p', { className: 'hint' }, `To resend them here, set ${TOKENS}.`),
      this.found, this.error, this.controls, this.list);
  }

  async #find() {
    const request = this.request = Symbol('newest');
    this.found.textContent = 'Reading …';
    this.error.textContent = '';
    try {
      const { dead_letters: found, more } = await deadLetters(this.reason.value, LIMIT);
      if (request !== this.request) return;
      this.selection = new Selection(() => this.#count());
      this.found.textContent = summary(found.length, more);
      this.list.replaceChildren(...found.map((each) => this.#item(each)));
      this.all.replaceChildren(this.selection.boxOfAll, ' all shown');
      this.controls.hidden = this.selection.boxes.size === 0;
      this.#count();
    } catch (error) {
      if (request !== this.request) return;
      this.found.textContent = '';
      this.error.textContent = error.message;
    }
  }

  #item(each) {
    const { id, reason, detail, excerpt } = each;
    const box = this.mayResend && !each.sent ? this.selection.box({ id, name: `${recordOf(each)} ${reason}` }) : '';
    return h('li', {},
      h('div', { className: 'head' }, h('label', { className: 'name' }, box, ' ', recordOf(each)), h('span', {}, reason)),
      h('p', { className: 'numbers' }, facts(each)),
      detail ? h('p', { className: 'hint' }, h('bdi', {}, detail)) : null,
      h('pre', { className: 'commands excerpt' }, excerpt || '(no bytes)'));
  }

  #count() {
    const number = this.selection.names.size;
    this.button.disabled = number === 0;
    this.button.textContent = number ? `Resend ${counted(number)} …` : 'Resend …';
  }

  async #resend() {
    const { names } = this.selection;
    let outcome;
    const accepted = await confirmWrite({
      what: `Resend ${counted(names.size)}`,
      right: 'write',
      names: [...names.values()],
      consequence: 'Each is sent once, to the topic that it came from. Fix the cause first, or they come back.',
      className: 'primary',
    }, async (token) => { outcome = await resendDeadLetters([...names.keys()], token); });
    if (!accepted) return;
    await this.#find();
    this.found.textContent = `${result(outcome)} ${this.found.textContent}`;
  }
}

function withoutKafka(facts, reasons) {
  const named = reasons.map((each) => `--reason=${each}`).join(' ');
  return card('Dead letters',
    h('p', { className: 'hint' }, 'Kafka keeps their bytes for 7 days. List them, and resend them once the cause is fixed, with'),
    commands(`${COMMAND} ${named}`, `${COMMAND} resend ${named} --dry-run`),
    h('p', { className: 'hint' }, `To see and resend them here, set ${KAFKA}. `,
      page(facts, 'docs/how-to/dead-letters.md', 'Inspect and resend dead letters')));
}

const counted = (number) => `${number.toLocaleString('en')} dead letter${number === 1 ? '' : 's'}`;

const recordOf = ({ source: { topic, partition, offset } }) => `${topic}-${partition}@${offset}`;

function facts({ time, count, bytes: size, resent, sent }) {
  const known = [
    new Date(time * 1000).toLocaleString('en-GB'),
    `${count.toLocaleString('en')} piece${count === 1 ? '' : 's'}, ${bytes(size)}`,
    resent ? `came back after resending: ${resent}` : null,
    sent ? 'resent' : null,
  ];
  return known.filter((each) => each !== null).join(' · ');
}

function summary(number, more) {
  const shown = number ? `The newest ${counted(number)}.` : 'No dead letters.';
  return more ? `${shown} Older ones were not read: use ${COMMAND}.` : shown;
}

function result({ sent, not_sent: others }) {
  const rest = others.map(({ reason, ids }) => ` Not sent: ${ids.length}, ${reason}.`).join('');
  return `Sent: ${counted(sent)}.${rest}`;
}
