import { hash } from 'node:crypto';
import type { Fields, NetworkRequest, NetworkResponse } from '../core/http.js';
import { Parameters, parsedJSON, redirect } from '../core/http.js';
import { CALLBACK_PATH } from '../core/redirect-uri.js';
import { randomString } from '../core/secrets.js';
import type { World } from '../core/world.js';
import { ONE_TAP_PATH } from '../pages/assets.js';
import { actions, CONSOLE_PATH, type Html, html, page, titledPage } from '../pages/page.js';
import { brandOf, type Trial } from './pages.js';

export type TrialRequest = Pick<NetworkRequest, 'method' | 'url'> & Partial<NetworkRequest>;

interface Pending extends Trial {
  readonly options: Fields;
  readonly redirectURI: string;
  readonly codeVerifier: string;
}

type Answer = NetworkResponse | undefined;

/** The application that the sandbox plays, so that every network can be tried without one. It uses the endpoints as any client does. */
export function trialLogins(world: World, exchange: (request: TrialRequest) => Answer) {
  const pending = world.credentials<Pending>();

  /** @returns The state of the login. */
  const keep = (login: Pending): string => pending.issue(randomString(43), login);

  function start(trial: Trial): NetworkResponse {
    const options: Fields = { ...world.withCredentials(trial.client.options(world.url)) };
    const redirectURI = `${world.url}${CALLBACK_PATH}`;
    const login: Pending = { ...trial, options, redirectURI, codeVerifier: randomString(64) };
    if (trial.isOneTap) return oneTapPage(login, keep);
    const { identifier = 'client_id', challenge, authorization } = trial.requests;
    return redirect(options.authorizationURL ?? '', {
      [identifier]: options.clientID,
      response_type: 'code',
      redirect_uri: redirectURI,
      state: keep(login),
      code_challenge: challenge && hash('sha256', login.codeVerifier, challenge),
      code_challenge_method: challenge && 'S256',
      ...authorization,
    });
  }

  function finish(query: Parameters): NetworkResponse {
    // VK ID may put every parameter into one, as JSON.
    const payload = query.one('payload');
    const response = payload === undefined ? query : Parameters.parseJSON(payload);
    const { state, value: login } = pending.use(response.one('state'));
    const unknown = 'The login is unknown: it is finished already, or was forgotten.';
    if (state !== 'live') return brokenPage('a sandbox network', unknown);
    const brand = brandOf(login.network);
    if (!response.has('error')) return profilePage(login, response, brand);
    const content = html`<p>${brand} told the application that the person said no. An application should be calm about it, and offer to try again.</p>`;
    return ending('Login declined', content);
  }

  function profilePage(login: Pending, response: Parameters, brand: string): NetworkResponse {
    const token = exchange(tokenRequest(login, response));
    const { access_token } = Object(parsedJSON(bodyOf(token) ?? ''));
    if (typeof access_token !== 'string') return stepFailed(brand, 'token', token);
    const profile = exchange(profileRequest(login, access_token));
    const body = bodyOf(profile);
    if (body === undefined) return stepFailed(brand, 'profile', profile);
    const content = html`<p class="quiet">${login.client.title}</p>
<div class="card">
<h2>What the application gets</h2>
${quotation('Profile', body)}
</div>`;
    return ending(`Logged in with ${brand}`, content);
  }

  return { start, finish };
}

/** VK's button, once for each of its response modes, with the parameters that VK documents. */
function oneTapPage(login: Pending, keep: (login: Pending) => string): NetworkResponse {
  const buttons = ['redirect', 'callback'].map((responseMode) => {
    const parameters = {
      app: Number(login.options.clientID),
      redirectUrl: login.redirectURI,
      state: keep(login),
      codeChallenge: hash('sha256', login.codeVerifier, 'base64url'),
      scope: 'vkid.personal_info',
      responseMode,
    };
    return html`<div class="card"><h2>responseMode: ${responseMode}</h2>
${quotation(`Parameters of ${responseMode}`, JSON.stringify(parameters))}
<div class="actions" data-one-tap="${JSON.stringify(parameters)}"></div></div>`;
  });
  const content = html`<p>VK's button opens VK ID in a new tab. What comes back goes to the redirect URI at once, or to the page first.</p>
${buttons}<output></output>\n${BACK}`;
  return titledPage('One Tap', content, { width: 'narrow', script: ONE_TAP_PATH });
}

function tokenRequest({ requests, options, redirectURI, codeVerifier }: Pending, response: Parameters) {
  const { identifier = 'client_id', challenge, basic, withoutSecret } = requests;
  const { clientID = '', clientSecret, serviceToken, tokenURL = '' } = options;
  const device = response.one('device_id');
  const form = Parameters.of({
    grant_type: 'authorization_code',
    code: response.one('code'),
    redirect_uri: redirectURI,
    ...(!basic && { [identifier]: clientID, client_secret: withoutSecret ? undefined : clientSecret }),
    service_token: serviceToken,
    code_verifier: challenge && codeVerifier,
    device_id: device,
    state: device && response.one('state'),
  });
  const credentials = Buffer.from(`${clientID}:${clientSecret}`).toString('base64');
  return { method: 'POST', url: tokenURL, form, authorization: basic ? `Basic ${credentials}` : undefined };
}

function profileRequest({ requests, options }: Pending, access_token: string): TrialRequest {
  const { clientID, profileURL: url = '' } = options;
  const { profileQuery } = requests;
  if (!profileQuery)
    return { method: 'POST', url, form: Parameters.of({ client_id: clientID, access_token }) };
  return { method: 'GET', url, query: Parameters.of(profileQuery), authorization: `Bearer ${access_token}` };
}

const bodyOf = (response: Answer): string | undefined =>
  response && response.status < 400 ? response.body : undefined;

function stepFailed(brand: string, step: string, response: Answer): NetworkResponse {
  const happened = response ? `status ${response.status}` : 'no response';
  return brokenPage(brand, `The ${step} request got ${happened}. The console says why.`, response?.body);
}

const quotation = (label: string, body: string): Html =>
  html`<pre tabindex="0" aria-label="${label}">${JSON.stringify(parsedJSON(body), null, 2) ?? body}</pre>`;

const BACK = actions(
  [CONSOLE_PATH, 'Back to the console'],
  [`${CONSOLE_PATH}#credentials`, 'Credentials for your application'],
);

const ending = (title: string, content: Html): NetworkResponse =>
  titledPage(title, html`${content}\n${BACK}`, { width: 'narrow' });

function brokenPage(brand: string, happened: string, body?: string): NetworkResponse {
  const content = html`<h1>The login with ${brand} stopped</h1>
<div class="card problem"><p>${happened}</p>
${body === undefined ? '' : quotation('Response', body)}</div>
${BACK}`;
  return page('The login stopped', content, { status: 502, width: 'narrow' });
}
