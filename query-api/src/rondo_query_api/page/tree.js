/**
 * The tree of series, as the tree pattern of WAI-ARIA: arrow keys move, Enter or Space draws a series or opens a
 * branch, Shift+Enter draws all series directly below a branch. A branch loads its children when it is first opened.
 */

import { find } from './api.js';
import { h } from './dom.js';
import { Walk } from './walk.js';

const PAGE = 300;

export class Tree {
  /** `toggle(path)`: a series, or `branch.*`, was selected; `empty()`: there are no series. */
  constructor(host, { toggle, empty }) {
    this.toggle = toggle;
    this.empty = empty;
    this.chosen = new Set();
    this.root = h('ul', {
      class: 'tree', role: 'tree', 'aria-label': 'Series', 'aria-multiselectable': 'true',
      on: { click: (event) => this.#clicked(event), keydown: (event) => this.#pressed(event) },
    });
    this.walk = new Walk(this.root);
    host.append(this.root);
  }

  async load() {
    const nodes = await this.#fill(this.root, '*', 1);
    if (nodes?.length === 0) this.empty();
    this.walk.begin();
  }

  /** Marks the series that are drawn. */
  mark(paths) {
    this.chosen = new Set(paths);
    for (const item of this.root.querySelectorAll('[data-path]')) this.#markItem(item);
  }

  async #fill(list, query, level) {
    list.replaceChildren(h('li', { class: 'hint', role: 'none' }, 'Loading …'));
    try {
      const nodes = (await find(query)).sort((a, b) => a.text.localeCompare(b.text, undefined, { numeric: true }));
      list.replaceChildren();
      this.#show(list, nodes, level);
      return nodes;
    } catch (error) {
      const again = h('button', { type: 'button', on: { click: () => this.#fill(list, query, level) } }, 'Try again');
      list.replaceChildren(h('li', { class: 'error', role: 'none' }, `${error.message} `, again));
      return null;
    }
  }

  /** Shows the first of these nodes, and an item that shows more if there are more. */
  #show(list, nodes, level) {
    list.append(...nodes.slice(0, PAGE).map((node) => this.#item(node, level)));
    const rest = nodes.slice(PAGE);
    if (rest.length === 0) return;
    const item = h('li', { role: 'treeitem', tabindex: '-1', 'aria-level': level, class: 'more' },
      h('span', { class: 'row' }, `${rest.length} more …`));
    item.open = () => {
      this.#show(list, rest, level);
      this.walk.to(item.nextElementSibling);
      item.remove();
    };
    list.append(item);
  }

  #item(node, level) {
    const branch = !node.leaf;
    const all = branch && h('span', {
      class: 'all', title: `Draw ${node.id}.* (Shift+Enter)`, 'aria-hidden': 'true', 'data-all': '',
    }, '.*');
    const item = h('li', {
      role: 'treeitem', tabindex: '-1', 'aria-level': level, class: branch ? 'branch' : 'leaf',
      'aria-expanded': branch ? 'false' : undefined, 'aria-label': node.text,
      'data-path': branch ? `${node.id}.*` : node.id,
    }, h('span', { class: 'row', title: node.id }, h('span', { class: 'name' }, node.text), all || null));
    if (branch) {
      const group = h('ul', { role: 'group', hidden: true });
      item.append(group);
      item.open = () => this.#open(item, group, node, level);
    }
    this.#markItem(item);
    return item;
  }

  async #open(item, group, node, level) {
    item.setAttribute('aria-expanded', 'true');
    group.hidden = false;
    if (!group.hasChildNodes() || group.querySelector(':scope > .error')) await this.#fill(group, `${node.id}.*`, level + 1);
  }

  #close(item) {
    item.setAttribute('aria-expanded', 'false');
    item.lastElementChild.hidden = true;
  }

  #markItem(item) {
    item.setAttribute('aria-selected', String(this.chosen.has(item.dataset.path)));
  }

  #act(item, all = false) {
    if (item.classList.contains('more')) item.open();
    else if (item.classList.contains('leaf') || all) this.toggle(item.dataset.path);
    else if (item.getAttribute('aria-expanded') === 'true') this.#close(item);
    else item.open();
  }

  #clicked(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    this.walk.to(item);
    this.#act(item, event.target.hasAttribute('data-all'));
  }

  #pressed(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
    const expanded = item.getAttribute('aria-expanded');
    if (event.key === 'Enter' || event.key === ' ') this.#act(item, event.shiftKey && expanded !== null);
    else if (event.key === 'ArrowRight' && expanded === 'false') item.open();
    else if (event.key === 'ArrowLeft' && expanded === 'true') this.#close(item);
    else if (!this.walk.pressed(event.key, item)) return;
    event.preventDefault();
  }
}
