import { hash } from 'node:crypto';
import type { Fields, NetworkRequest, NetworkResponse } from '../core/http.js';
import { Parameters, parsedJSON, redirect } from '../core/http.js';
import { CALLBACK_PATH } from '../core/redirect-uri.js';
import { hmacSha1Signature, randomString } from '../core/secrets.js';
import type { Credentials, World } from '../core/world.js';
import { ONE_TAP_PATH } from '../pages/assets.js';
import { actions, CONSOLE_PATH, type Html, html, page, titledPage } from '../pages/page.js';
import { brandOf, TRIALS, type Trial } from './console-page.js';

export type TrialRequest = Pick<NetworkRequest, 'method' | 'url'> &
  Partial<Pick<NetworkRequest, 'query' | 'form' | 'authorization'>>;

interface Pending extends Trial {
  readonly options: Fields;
  /** Code verifier; with OAuth 1.0a, secret of the request token. */
  readonly secret: string;
}

type Answer = NetworkResponse | undefined;

/** A step whose response has no token or no address to go on with. */
class BrokenTrial extends Error {
  constructor(
    readonly step: string,
    readonly response: Answer,
  ) {
    super(step);
  }
}

/** The application that the sandbox plays, so that every network can be tried without one. It uses the endpoints as any client does. */
export class TrialLogins {
  private readonly pending: Credentials<Pending>;

  constructor(
    private readonly world: World,
    private readonly exchange: (request: TrialRequest) => Answer,
  ) {
    this.pending = world.credentials();
  }

  /** Begins a login. @returns A redirect to the network; `undefined` for a path that no trial has. */
  start(path: string): NetworkResponse | undefined {
    const trial = TRIALS.find((known) => known.path === path);
    return trial && shown(trial.network, () => this.begin(trial));
  }

  finish(query: Parameters): NetworkResponse {
    // VK ID may put every parameter into one, as JSON.
    const payload = query.one('payload');
    const response = payload === undefined ? query : Parameters.parseJSON(payload);
    const id = response.one('state') ?? response.one('oauth_token') ?? response.one('denied') ?? '';
    const { state, value: login } = this.pending.use(id);
    const unknown = 'The login is unknown: it is finished already, or was forgotten.';
    if (state !== 'live') return brokenPage('a sandbox network', unknown);
    const { network, client, by } = login;
    const brand = brandOf(network);
    if (response.has('error') || response.has('denied')) {
      const content = html`<p>${brand} told the application that the person said no. An application should be calm about it, and offer to try again.</p>`;
      return ending('Login declined', content);
    }
    if (by === 'a phone') {
      const brought = {
        code: response.one('code'),
        codeVerifier: login.secret,
        redirectURI: this.callbackURL,
        deviceID: response.one('device_id'),
      };
      const content = html`<p>Give it to <code>strategy.exchange</code> soon: the code expires, and works once.</p>
<div class="card">${quotation('What the app on the phone brings to its server', JSON.stringify(brought))}</div>`;
      return ending(`The app has a code of ${brand}`, content);
    }
    return shown(network, () => {
      const isOAuth1 = login.options.requestTokenURL !== undefined;
      const profile = isOAuth1 ? this.oauth1Profile(login, response) : this.oauth2Profile(login, response);
      const content = html`<p class="quiet">${client.title}</p>
<div class="card">
<h2>What the application gets</h2>
${quotation('Profile', bodyOf('profile', profile))}
</div>`;
      return ending(`Logged in with ${brand}`, content);
    });
  }

  private begin(trial: Trial): NetworkResponse {
    const { client, by } = trial;
    const given = this.world.withCredentials(client.options(this.world.url));
    const pairs = Object.entries(given).map(([name, value]) => [name, String(value)]);
    const options: Fields = Object.fromEntries(pairs);
    const login: Pending = { ...trial, options, secret: randomString(64) };
    if (by === 'One Tap') return this.oneTapPage(login);
    const { identifier = 'client_id', challenge, authorization } = client.trial;
    if (options.requestTokenURL) {
      const callback = { oauth_callback: this.callbackURL };
      const sent = this.signed(login, 'POST', options.requestTokenURL, callback);
      const token = new Parameters(bodyOf('request token', sent));
      const oauth_token = required('request token', sent, () => token.one('oauth_token'));
      this.keep(oauth_token, { ...login, secret: token.one('oauth_token_secret') ?? '' });
      return redirect(options.userAuthorizationURL ?? '', { oauth_token });
    }
    const state = randomString(43);
    this.keep(state, login);
    return redirect(options.authorizationURL ?? '', {
      [identifier]: options.clientID,
      response_type: 'code',
      redirect_uri: this.callbackURL,
      state,
      ...(challenge && {
        code_challenge: hash('sha256', login.secret, challenge),
        code_challenge_method: 'S256',
      }),
      ...authorization,
    });
  }

  /** VK's button, once for each of its response modes, with the parameters that VK documents. */
  private oneTapPage(login: Pending): NetworkResponse {
    const buttons = ['redirect', 'callback'].map((responseMode) => {
      const state = randomString(43);
      this.keep(state, login);
      const parameters = {
        app: Number(login.options.clientID),
        redirectUrl: this.callbackURL,
        state,
        codeChallenge: hash('sha256', login.secret, 'base64url'),
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

  private get callbackURL(): string {
    return `${this.world.url}${CALLBACK_PATH}`;
  }

  private keep(id: string, login: Pending): void {
    this.pending.issue(id, login, Number.POSITIVE_INFINITY);
  }

  private oauth2Profile({ client, options, secret }: Pending, response: Parameters): Answer {
    const { identifier = 'client_id', challenge, basic, withoutSecret, profile } = client.trial;
    const { clientID = '', clientSecret, serviceToken, tokenURL = '', profileURL: url = '' } = options;
    const device = response.one('device_id');
    const form = Parameters.of({
      grant_type: 'authorization_code',
      code: response.one('code'),
      redirect_uri: this.callbackURL,
      ...(!basic && { [identifier]: clientID, client_secret: withoutSecret ? undefined : clientSecret }),
      service_token: serviceToken,
      code_verifier: challenge && secret,
      device_id: device,
      state: device && response.one('state'),
    });
    const credentials = Buffer.from(`${clientID}:${clientSecret}`).toString('base64');
    const authorization = basic ? `Basic ${credentials}` : undefined;
    const sent = this.exchange({ method: 'POST', url: tokenURL, form, authorization });
    const access_token = required('token', sent, (body) => Object(parsedJSON(body)).access_token);
    if (profile.method === 'post') {
      const token = Parameters.of({ client_id: clientID, access_token });
      return this.exchange({ method: 'POST', url, form: token });
    }
    const query = Parameters.of(profile.query);
    return this.exchange({ method: 'GET', url, query, authorization: `Bearer ${access_token}` });
  }

  private oauth1Profile(login: Pending, response: Parameters): Answer {
    const { accessTokenURL, profileURL } = login.options;
    const [oauth_token = '', oauth_verifier = ''] = ['oauth_token', 'oauth_verifier'].map((name) =>
      response.one(name),
    );
    const sent = this.signed(login, 'POST', accessTokenURL, { oauth_token, oauth_verifier }, login.secret);
    const token = new Parameters(bodyOf('access token', sent));
    const access = { oauth_token: required('access token', sent, () => token.one('oauth_token')) };
    return this.signed(login, 'GET', profileURL, access, token.one('oauth_token_secret'));
  }

  private signed(
    { options: { clientID = '', clientSecret = '' } }: Pending,
    method: 'GET' | 'POST',
    url = '',
    extra: Readonly<Record<string, string>> = {},
    tokenSecret = '',
  ): Answer {
    const parameters = {
      oauth_consumer_key: clientID,
      oauth_nonce: randomString(32),
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: String(Math.floor(this.world.clock.now() / 1000)),
      oauth_version: '1.0',
      ...extra,
    };
    const oauth_signature = hmacSha1Signature(method, url, parameters, clientSecret, tokenSecret);
    const pairs = Object.entries({ ...parameters, oauth_signature });
    const header = pairs.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`);
    return this.exchange({ method, url, authorization: `OAuth ${header.join(', ')}` });
  }
}

function shown(network: string, steps: () => NetworkResponse): NetworkResponse {
  try {
    return steps();
  } catch (error) {
    if (!(error instanceof BrokenTrial)) throw error;
    const { step, response } = error;
    const happened = response ? `status ${response.status}` : 'no response';
    const sentence = `The ${step} request got ${happened}. The console says why.`;
    return brokenPage(brandOf(network), sentence, response?.body);
  }
}

function bodyOf(step: string, response: Answer): string {
  if (!response || response.status >= 400) throw new BrokenTrial(step, response);
  return response.body;
}

/** What a step's response must have. @param valueIn - Finds it in the body. */
function required(step: string, response: Answer, valueIn: (body: string) => unknown): string {
  const value = valueIn(bodyOf(step, response));
  if (typeof value !== 'string' || value === '') throw new BrokenTrial(step, response);
  return value;
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
