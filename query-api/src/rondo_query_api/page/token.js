/** The API's bearer token, if it requires one: a dialog asks for it, and only this tab keeps it. */

import { h } from './dom.js';

const KEY = 'rondo.token';
export const SENDABLE = '\\s*[!-~]+\\s*'; // what a header can carry
let asking = null;
let declined = false;

/** Headers with the token; empty while there is none. */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Whether the response asks for a token, and not for a password, for which the browser asks. */
export function wantsToken(response) {
  const challenge = response.headers.get('WWW-Authenticate') ?? '';
  return response.status === 401 && /\bBearer\b/.test(challenge) && !/\bBasic\b/.test(challenge);
}

/**
 * Asks for a token in place of the refused one, unless it has changed already. False if the dialog is cancelled, then
 * also for later requests until the page is reloaded. Requests that are refused together wait for one dialog.
 */
export async function requestToken({ Authorization: refused }) {
  if (authorization().Authorization !== refused) return true;
  if (declined) return false;
  asking ??= ask(refused ? 'Unknown token.' : '').finally(() => { asking = null; });
  return asking;
}

function ask(error) {
  const field = h('input', {
    type: 'password', required: true, autocomplete: 'off', pattern: SENDABLE, title: 'Letters, digits and punctuation, without spaces',
  });
  const dialog = h('dialog', { className: 'card token', 'aria-label': 'Token' },
    h('form', { method: 'dialog' },
      h('label', {}, 'Token of this Rondo ', field),
      h('p', { className: 'error', role: 'alert' }, error),
      h('button', { className: 'primary', value: 'given' }, 'Open')));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      declined = dialog.returnValue !== 'given';
      if (!declined) sessionStorage.setItem(KEY, field.value.trim());
      dialog.remove();
      resolve(!declined);
    });
  });
}
