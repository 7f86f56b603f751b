/** The dialog that confirms a write, and asks for a token that may write, which is forgotten at a reload. */

import { h, newId } from './dom.js';
import { SENDABLE } from './token.js';

const FIRST = 5;
let token = '';

/**
 * Asks whether to do `what`, such as `Delete 3 series`, and calls `request(token)` once confirmed. An error is shown, and
 * the user may try again. Returns true if the request was accepted, false if the dialog was cancelled.
 */
export function confirmWrite({ what, right, names, consequence, className }, request) {
  const heading = newId('confirm');
  const field = h('input', {
    type: 'password', required: true, autocomplete: 'off', pattern: SENDABLE, title: 'Letters, digits and punctuation, without spaces',
  });
  const label = h('label', {}, `Token that may ${right} (RONDO_API_WRITE_TOKENS) `, field);
  const error = h('p', { className: 'error', role: 'alert' });
  const cancel = h('button', { type: 'button', on: { click: () => dialog.close() } }, 'Cancel');
  const accept = h('button', { type: 'submit', className }, what);
  const more = names.length - FIRST;
  const form = h('form', { method: 'dialog' },
    h('h2', { id: heading }, `${what}?`),
    h('ul', { className: 'names' }, ...names.slice(0, FIRST).map((name) => h('li', {}, h('bdi', {}, name)))),
    more > 0 ? h('p', {}, `and ${more.toLocaleString('en')} more`) : null,
    h('p', {}, consequence),
    label, error, h('div', { className: 'controls' }, cancel, accept));
  const dialog = h('dialog', { className: 'card confirm', 'aria-labelledby': heading }, form);

  const requireToken = (required) => {
    label.hidden = !required;
    field.disabled = !required;
    if (required) field.focus();
    else cancel.focus();
  };
  let busy = false;
  const setBusy = (value) => {
    busy = value;
    field.readOnly = cancel.disabled = accept.disabled = value;
    accept.textContent = value ? 'Requesting …' : what;
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!field.disabled) token = field.value.trim();
    error.textContent = '';
    setBusy(true);
    try {
      await request(token);
      dialog.close('requested');
    } catch (refused) {
      setBusy(false);
      error.textContent = refused.message;
      if (refused.status === 401 || refused.status === 403) {
        token = '';
        field.value = '';
        requireToken(true);
      }
    }
  };
  form.addEventListener('submit', submit);
  dialog.addEventListener('cancel', (event) => { if (busy) event.preventDefault(); }); // Escape
  document.body.append(dialog);
  dialog.showModal();
  requireToken(!token);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'requested');
    });
  });
}
