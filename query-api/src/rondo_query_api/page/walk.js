/** Keyboard focus in a tree (roving tabindex): which item has it, and where a key moves it. */
export class Walk {
  constructor(root) {
    this.root = root;
  }

  /** Makes the first item reachable by Tab. */
  begin() {
    this.root.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
  }

  to(item) {
    if (!item) return;
    for (const previous of this.root.querySelectorAll('[tabindex="0"]')) previous.tabIndex = -1;
    item.tabIndex = 0;
    item.focus({ preventScroll: true });
    item.firstElementChild.scrollIntoView({ block: 'nearest' });
  }

  /** Moves the focus; returns whether the key moves it. */
  pressed(key, item) {
    const items = this.#visible();
    const at = items.indexOf(item);
    if (key === 'ArrowDown') this.to(items[at + 1]);
    else if (key === 'ArrowUp') this.to(items[at - 1]);
    else if (key === 'ArrowRight') this.to(item.querySelector('[role=treeitem]'));
    else if (key === 'ArrowLeft') this.to(item.parentElement.closest('[role=treeitem]'));
    else if (key === 'Home') this.to(items[0]);
    else if (key === 'End') this.to(items.at(-1));
    else if (key.length === 1) this.to(startingWith(key, [...items.slice(at + 1), ...items.slice(0, at + 1)]));
    else return false;
    return true;
  }

  #visible() {
    return [...this.root.querySelectorAll('[role=treeitem]')].filter((item) => !item.closest('[role=group][hidden]'));
  }
}

const startingWith = (letter, items) =>
  items.find((item) => item.textContent.toLowerCase().startsWith(letter.toLowerCase()));
