/** The API's bearer token, if it requires one: a dialog asks for it, and only this tab keeps it. */

import { h } from './dom.js';

const KEY = 'rondo.token';
export const SENDABLE = '\\s*[!-~]+\\s*'; // what a header can carry
let dialog = null;
let declined = false;

/** Headers with the token; empty while there is none. */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Whether the response requires a token. For a password, the browser asks. */
export function wantsToken(response) {
  const challenge = response.headers.get('WWW-Authenticate') ?? '';
  return response.status === 401 && /\bBearer\b/.test(challenge) && !/\bBasic\b/.test(challenge);
}

/**
 * Asks for another token than the refused one, unless it has already changed. Returns false if the user cancels the dialog,
 * then also for later requests until a reload. Requests that are refused at the same time share one dialog.
 */
export async function requestToken({ Authorization: refused }) {
  if (authorization().Authorization !== refused) return true;
  if (declined) return false;
  dialog ??= ask(refused ? 'Unknown token.' : '').finally(() => { dialog = null; });
  return dialog;
}

function ask(error) {
  const field = h('input', {
    type: 'password', required: true, autocomplete: 'off', pattern: SENDABLE, title: 'Letters, digits and punctuation, without spaces',
  });
  const element = h('dialog', { className: 'card token', 'aria-label': 'Token' },
    h('form', { method: 'dialog' },
      h('label', {}, 'Token of this Rondo ', field),
      h('p', { className: 'error', role: 'alert' }, error),
      h('button', { className: 'primary', value: 'given' }, 'Open')));
  document.body.append(element);
  element.showModal();
  return new Promise((resolve) => {
    element.addEventListener('close', () => {
      declined = element.returnValue !== 'given';
      if (!declined) sessionStorage.setItem(KEY, field.value.trim());
      element.remove();
      resolve(!declined);
    });
  });
}
