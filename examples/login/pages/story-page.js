// @ts-check
import { moment } from './format.js';
import { html } from './html.js';
import { page } from './layout.js';

/** @typedef {import('../login-story.js').Step} Step */

/** @type {Record<import('../login-story.js').StepName, { title: string, text: string }>} */
const WORDS = {
  'request token': {
    title: 'The server asked for a request token',
    text: 'In OAuth 1.0a a login begins with a signed request from server to server. Its answer names the login.',
  },
  redirect: {
    title: 'The browser was sent to the network',
    text: 'The strategy remembered the login in your session and sent the browser away with a value that only this login has.',
  },
  callback: {
    title: 'The network sent the browser back',
    text: 'The strategy compared that value with your session, and spent it: this callback does not work twice.',
  },
  token: {
    title: 'The server exchanged what came back for tokens',
    text: 'From server to server. The browser never sees a token, and the code alone would not have been enough.',
  },
  profile: {
    title: 'The server asked who you are',
    text: 'With the token, in a header. The record was checked, and mapped onto a Passport profile.',
  },
  account: {
    title: 'Your account was looked up here',
    text: 'By provider and identifier together, never by e-mail address. Tokens are encrypted before they are stored.',
  },
};

const OUTCOMES = { done: 'done', failed: 'ended here', 'not reached': 'not reached' };

/**
 * Tells how the last login went, step by step.
 *
 * @param {import('express').Request} req
 * @param {import('../networks/index.js').ConnectedNetwork[]} networks
 * @param {import('../login-story.js').Story | undefined} story
 */
export function storyPage(req, networks, story) {
  if (!story) {
    return page(
      req,
      'What just happened',
      html`<p class="lead">Nothing yet: this browser has not come back from a network.</p>
<p><a class="button primary" href="/">Sign in</a></p>`,
    );
  }
  const network = networks.find(({ name }) => name === story.network);
  const name = network ? `${network.title}, ${network.version}` : story.network;
  return page(
    req,
    'What just happened',
    html`<p class="lead">The last login of this browser: ${name}, ${moment(new Date(story.happenedAt))}${network?.usesSandbox && ', in the sandbox'}.</p>
<ol class="story">
${story.steps.map(step)}
</ol>`,
  );
}

/** @param {Step} step */
function step({ name, outcome, address, facts }) {
  const { title, text } = WORDS[name];
  return html`<li class="card ${outcome.replace(' ', '-')}">
<h2><span>${title}</span> <span class="badge">${OUTCOMES[outcome]}</span></h2>
${outcome !== 'not reached' && html`<p>${text}</p>`}
${address && html`<p class="address"><code>${address}</code></p>`}
${facts.length > 0 && html`<dl class="facts">${facts.map(([key, value]) => html`<div><dt><code>${key}</code></dt><dd>${value}</dd></div>`)}</dl>`}
</li>
`;
}
