/** Tabs as the pattern of WAI-ARIA: arrow keys move, one panel shows. */
export function tabs(list) {
  const all = [...list.querySelectorAll('[role=tab]')];
  const choose = (chosen) => {
    for (const tab of all) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = tab !== chosen;
    }
    chosen.focus();
  };
  list.addEventListener('click', ({ target }) => { if (all.includes(target)) choose(target); });
  list.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    choose(all[(all.indexOf(event.target) + by + all.length) % all.length]);
  });
}
