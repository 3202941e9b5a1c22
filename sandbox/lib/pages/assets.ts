export const CONSOLE_SCRIPT_PATH = '/console.js';
export const ONE_TAP_PATH = '/vk-id/sdk.js';

/** Style of every page. The colours are those of the login example. */
export const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#f5f6f9, #101218); --card: light-dark(#ffffff, #1a1d26);
  --text: light-dark(#1a1d24, #e9ebf1); --quiet: light-dark(#545b69, #aab1bf); --line: light-dark(#d8dce4, #333946);
  --border: light-dark(#767d8c, #858da0); --accent: light-dark(#3b47c4, #aeb7ff); --on-accent: light-dark(#ffffff, #12152b);
  --danger: light-dark(#b3261e, #ffb3ac); --danger-background: light-dark(#fdeceb, #3a1917); --good: light-dark(#17643a, #8fdcab);
  --good-background: light-dark(#e3f4e9, #16301f); --warm: light-dark(#7a4b00, #f3c67f); --warm-background: light-dark(#fdf0d8, #35280f); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
a { color: var(--accent); }
h1 { margin: .25rem 0 .75rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0; font-size: 1.2rem; line-height: 1.3; }
h3 { margin: 0; font-size: 1rem; line-height: 1.35; }
p { margin: .5rem 0; }
small { font-size: .85em; color: var(--quiet); }
code { font: .88em ui-monospace, monospace; }
pre { margin: .5rem 0 0; padding: .75rem; max-height: 24rem; overflow: auto; background: var(--page); border: 1px solid var(--line); border-radius: .6rem;
  white-space: pre-wrap; }
main { max-width: 60rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
main.narrow { max-width: 31rem; padding-bottom: 1rem; }
section { margin-top: 2.25rem; scroll-margin-top: 1rem; }
.lead, .quiet { color: var(--quiet); }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--card); }
.skip:focus { top: .5rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .5rem max(1rem, calc(50vw - 29rem));
  background: var(--card); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .6rem; margin-right: auto; padding: .25rem 0; color: inherit; font-weight: 650;
  text-decoration: none; }
.bar nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
.bar nav a { padding: .4rem 0; color: var(--quiet); text-decoration: none; }
.bar nav a:hover { color: var(--text); text-decoration: underline; }
.mark { flex: none; display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: .5rem;
  background: var(--network, var(--accent)); color: var(--card); font-weight: 700; font-size: .95rem; }
.short-video { --network: light-dark(#0f7a70, #63d3c6); }
.microblog { --network: light-dark(#1f5fbf, #8ebcff); }
.social-network { --network: light-dark(#7a3fb5, #d1a6fb); }
.card { margin: .75rem 0; padding: 1rem 1.15rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); gap: .75rem; margin: .75rem 0 0;
  padding: 0; list-style: none; }
.grid > * { margin: 0; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .75rem; }
.spread { justify-content: space-between; }
.badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; background: var(--page); color: var(--quiet); font-size: .8rem;
  font-weight: 600; white-space: nowrap; }
.badge.refused { background: var(--danger-background); color: var(--danger); }
.badge.noted, .badge.sandbox { background: var(--warm-background); color: var(--warm); }
.badge.good { background: var(--good-background); color: var(--good); }
.button { display: inline-flex; align-items: center; justify-content: center; gap: .6rem; min-height: 2.75rem; padding: .35rem 1rem;
  border: 1px solid var(--border); border-radius: .7rem; background: var(--card); color: var(--text); font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer; }
.button:hover { border-color: var(--accent); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.small { min-height: 2rem; padding: .1rem .7rem; font-size: .85rem; border-radius: .55rem; }
.row .button { white-space: nowrap; }
.column .button { flex: 1 1 100%; text-align: center; }
.away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0 0; }
.facts { margin: .6rem 0 0; }
.facts > div { display: grid; grid-template-columns: 7rem 1fr; gap: 0 .75rem; padding: .35rem 0; border-top: 1px solid var(--line); }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; }
.facts.stacked > div { grid-template-columns: 1fr; }
.facts .row { justify-content: space-between; flex-wrap: nowrap; align-items: flex-start; }
.problem { border-left: .35rem solid var(--danger); }
.doubt { border-left: .35rem solid var(--warm); }
.log { margin: .75rem 0 0; padding: 0; list-style: none; }
.log time { color: var(--quiet); font-variant-numeric: tabular-nums; }
.log small, .person small, label small { display: block; }
.picture { flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--accent);
  color: var(--on-accent); font-weight: 650; font-size: .95rem; object-fit: cover; }
.person { display: flex; align-items: center; gap: .8rem; }
.person > div, .person > span:last-child { min-width: 0; }
.person bdi { font-weight: 600; }
.log .log { margin: 0; }
.login p { margin: .25rem 0 0; }
.log li { border-top: 1px solid var(--line); }
.log > li:first-child { border-top: 0; }
.log summary { display: grid; grid-template-columns: 5rem minmax(0, 1fr) auto; gap: 0 .75rem; align-items: baseline; padding: .45rem 0;
  color: inherit; font-weight: inherit; }
.log summary:hover { background: var(--page); }
.log summary > span:nth-child(2)::before { content: '▸ '; color: var(--quiet); }
.log [open] > summary > span:nth-child(2)::before { content: '▾ '; }
.log [open] { padding-bottom: .75rem; }
.log h4 { margin: .75rem 0 0; font-size: .9rem; color: var(--quiet); }
.rules, .plain { margin: .25rem 0 0; padding: 0; list-style: none; }
.log .rules li { border: 0; padding: .15rem 0; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr)); gap: .75rem; }
.fields label { display: grid; gap: .15rem; align-content: start; min-width: 0; }
.fields p, .fields .button { grid-column: 1 / -1; justify-self: start; margin: 0; }
.fields input, .fields select { width: 100%; height: 2.75rem; padding: 0 .6rem; font: inherit; color: var(--text); background: var(--page);
  border: 1px solid var(--border); border-radius: .6rem; }
::placeholder { color: var(--quiet); opacity: 1; }
details > summary { padding: .45rem 0; cursor: pointer; color: var(--accent); font-weight: 600; }
fieldset { margin: 0 0 .75rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: .15rem; color: var(--quiet); font-size: .9rem; }
label { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; padding: .15rem 0; cursor: pointer; }
label input { flex: none; width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--accent); }
.others { max-height: 13rem; overflow-y: auto; margin: 0 -.5rem; padding: 0 .5rem; border-block: 1px solid var(--line); }
.scopes { max-height: 15.5rem; overflow-y: auto; margin: 0; padding: 0; list-style: none; }
.scopes li, .scopes label { min-height: 0; padding: .3rem 0; line-height: 1.35; }
.decision { position: sticky; bottom: 0; display: flex; gap: .75rem; margin: 0 -1.15rem -1rem; padding: .75rem 1.15rem; background: var(--card);
  border-top: 1px solid var(--line); border-radius: 0 0 1rem 1rem; }
.decision .button { flex: 1 1 8rem; }
@media (max-width: 36rem) {
  .facts > div { grid-template-columns: 1fr; }
  .log summary { grid-template-columns: minmax(0, 1fr) auto; }
  .log time { grid-column: 1 / -1; }
  main { padding-top: .75rem; }
  h1 { font-size: 1.35rem; }
}
`;

/** Shows the copy buttons, and replaces the requests of a visible page only when they have changed, so that focus and selection stay. */
const CONSOLE_SCRIPT = `'use strict';
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
    for (const { id } of current().querySelectorAll('details[open]')) next.querySelector('#' + id)?.setAttribute('open', '');
    const focused = document.activeElement.closest('#requests details')?.id;
    current().replaceWith(next);
    if (focused) document.querySelector('#' + focused + ' > summary')?.focus();
  } catch {
    current().querySelector('[data-live]').textContent = 'the sandbox has stopped';
  }
}, 2000);
`;

/**
 * Takes the place of VK's SDK for browsers: the button, which opens VK ID in a new tab, and what the tab sends back, under the SDK's names. On the
 * sandbox's own pages it also renders the buttons that they describe, and sends the tab's answer.
 *
 * @see https://github.com/VKCOM/vkid-web-sdk, `auth.ts` of 2.6.7 (read 2026-11)
 */
const ONE_TAP_SCRIPT = `'use strict';
globalThis.VKIDSDK = (() => {
  const network = new URL('.', document.currentScript.src);
  const ACTION = 'oauth2_authorize_response';
  const ConfigResponseMode = { Redirect: 'redirect', Callback: 'callback' };
  const OneTapInternalEvents = { LOGIN_SUCCESS: 'onetap: success login' };
  const WidgetEvents = { ERROR: 'common: error' };
  let config = {};
  const leave = (payload) => {
    const url = new URL(config.redirectUrl);
    for (const [name, value] of Object.entries(payload)) url.searchParams.set(name, value);
    location.assign(url);
  };
  class OneTap {
    handlers = {};
    on(event, handler) {
      this.handlers[event] = handler;
      return this;
    }
    render({ container }) {
      const button = document.createElement('button');
      button.textContent = 'Sign in with VK ID';
      button.className = 'button';
      button.addEventListener('click', () => this.login(config));
      container.append(button);
      return this;
    }
    login({ app, redirectUrl, state, codeChallenge, scope = '', responseMode = ConfigResponseMode.Redirect }) {
      const url = new URL('authorize', network);
      url.search = new URLSearchParams({ client_id: app, redirect_uri: redirectUrl, response_type: 'code', state, scope,
        code_challenge: codeChallenge, code_challenge_method: 's256', origin: location.protocol + '//' + location.hostname });
      const tab = open(url);
      const listener = ({ source, origin, data }) => {
        if (source !== tab || origin !== network.origin) return;
        removeEventListener('message', listener);
        tab.close();
        const { ext_id, ...payload } = data.payload;
        if (payload.error || data.action !== ACTION + state || payload.state !== state) this.handlers[WidgetEvents.ERROR]?.(payload);
        else if (responseMode === ConfigResponseMode.Redirect) leave(payload);
        else this.handlers[OneTapInternalEvents.LOGIN_SUCCESS]?.(payload);
      };
      addEventListener('message', listener);
    }
  }
  addEventListener('DOMContentLoaded', () => {
    for (const container of document.querySelectorAll('[data-one-tap]')) {
      const own = JSON.parse(container.dataset.oneTap);
      const answered = (payload) => {
        const shown = document.querySelector('output');
        shown.textContent = 'The page got ' + Object.keys(payload).join(', ') + '.';
        setTimeout(leave, 1000, payload);
      };
      container.addEventListener('click', () => { config = own; }, true);
      new OneTap().on(OneTapInternalEvents.LOGIN_SUCCESS, answered).on(WidgetEvents.ERROR, leave).render({ container });
    }
    const answer = document.querySelector('[data-answer]')?.dataset.answer;
    const { to, payload, url } = JSON.parse(answer ?? '{}');
    if (to && opener) opener.postMessage({ action: ACTION + payload.state, payload }, to);
    else if (to) location.replace(url);
  });
  const update = (given) => { config = { ...config, ...given }; };
  return { Config: { init: update, update }, ConfigResponseMode, OneTap, OneTapInternalEvents, WidgetEvents };
})();
`;

export const SCRIPTS = { [CONSOLE_SCRIPT_PATH]: CONSOLE_SCRIPT, [ONE_TAP_PATH]: ONE_TAP_SCRIPT };
