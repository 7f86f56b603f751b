/** The token that the API wants, where it wants one: asked for in a dialog, kept for this tab alone. */

import { h } from './dom.js';

const KEY = 'rondo.token';
const SENDABLE = '\\s*[!-~]+\\s*'; // what a header can carry
let asking = null;
let declined = false;

/** Header that lets one in; none before a token is given. */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Whether the answer wants a token, and not a user's password, which the browser asks for. */
export function wantsToken(response) {
  const challenge = response.headers.get('WWW-Authenticate') ?? '';
  return response.status === 401 && /\bBearer\b/.test(challenge) && !/\bBasic\b/.test(challenge);
}

/**
 * Another token than the refused one, if there is none yet from a person: false when nobody gives one, until the page is
 * loaded again. Requests that are refused together wait for one dialog.
 */
export async function anotherToken({ Authorization: refused }) {
  if (authorization().Authorization !== refused) return true;
  if (declined) return false;
  asking ??= ask(refused ? 'That token is not known.' : '').finally(() => { asking = null; });
  return asking;
}

function ask(error) {
  const field = h('input', {
    type: 'password', required: true, autocomplete: 'off', pattern: SENDABLE, title: 'Letters, digits and signs, no space in between',
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
