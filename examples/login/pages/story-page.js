// @ts-check
import { moment } from './format.js';
import { html } from './html.js';
import { page } from './layout.js';

/** @typedef {import('../login-story.js').Step} Step */

/** @type {Record<import('../login-story.js').StepName, { title: string, text: string }>} */
const DESCRIPTIONS = {
  'request token': {
    title: 'The server requested a request token',
    text: 'OAuth 1.0a begins with a signed request from server to server. The token in the response identifies this login.',
  },
  redirect: {
    title: 'The browser was sent to the network',
    text: 'The strategy stored the login in your session and redirected the browser with a value that is unique to this login.',
  },
  callback: {
    title: 'The network sent the browser back',
    text: 'The strategy compared that value with your session and marked it as used. The same response does not work twice.',
  },
  token: {
    title: 'The server exchanged the response for tokens',
    text: 'This request goes from server to server. The browser never sees a token, and the code alone is not enough to get one.',
  },
  profile: {
    title: 'The server requested your profile',
    text: 'The request carries the token in a header. The strategy checked the record and mapped it to a Passport profile.',
  },
  account: {
    title: 'The application looked up your account',
    text: 'It uses the provider and user ID, never the e-mail address. Tokens are encrypted before they are stored.',
  },
};

const OUTCOMES = { done: 'done', failed: 'ended here', 'not reached': 'not reached' };

/**
 * Shows the steps of the last login.
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
      html`<p class="lead">No login yet in this browser.</p>
<p><a class="button primary" href="/">Sign in</a></p>`,
    );
  }
  const network = networks.find(({ name }) => name === story.network);
  const name = network ? `${network.title} (${network.protocol})` : story.network;
  return page(
    req,
    'What just happened',
    html`<p class="lead">The last login in this browser: ${name}, ${moment(new Date(story.happenedAt))}${network?.usesSandbox && ', in the sandbox'}.</p>
<ol class="story">
${story.steps.map(step)}
</ol>`,
  );
}

/** @param {Step} step */
function step({ name, outcome, url, facts }) {
  const { title, text } = DESCRIPTIONS[name];
  return html`<li class="card ${outcome.replace(' ', '-')}">
<h2><span>${title}</span> <span class="badge">${OUTCOMES[outcome]}</span></h2>
${outcome !== 'not reached' && html`<p>${text}</p>`}
${url && html`<p class="address"><code>${url}</code></p>`}
${facts.length > 0 && html`<dl class="facts">${facts.map(([key, value]) => html`<div><dt><code>${key}</code></dt><dd>${value}</dd></div>`)}</dl>`}
</li>
`;
}
