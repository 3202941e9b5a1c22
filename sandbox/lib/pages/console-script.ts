const REFRESH_MILLISECONDS = 2_000;

/**
 * Script of the console. It shows the copy buttons, and replaces the requests while the page is visible: only when they have changed,
 * so that focus and selection stay.
 */
export const CONSOLE_SCRIPT = `'use strict';
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  const [visible] = button.children;
  const label = visible.textContent;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      visible.textContent = 'Copied';
    } catch {
      visible.textContent = 'Cannot copy';
    }
    setTimeout(() => { visible.textContent = label; }, 2000);
  });
}
const markLive = (section) => { section.querySelector('[data-live]').hidden = false; };
const current = () => document.getElementById('requests');
let shown = current().innerHTML;
markLive(current());
setInterval(async () => {
  if (document.hidden) return;
  try {
    const response = await fetch('/');
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('requests');
    if (next.innerHTML === shown) return;
    shown = next.innerHTML;
    markLive(next);
    if (current().querySelector('details[open]')) next.querySelector('details')?.setAttribute('open', '');
    current().replaceWith(next);
  } catch {
    current().querySelector('[data-live]').textContent = 'the sandbox has stopped';
  }
}, ${REFRESH_MILLISECONDS});
`;
