import { hash } from 'node:crypto';
import type { Client } from '../core/clients.js';
import { type NetworkResponse, Parameters, redirect } from '../core/http.js';
import { randomString } from '../core/oauth.js';
import type { World } from '../core/world.js';
import { hmacSha1Signature } from '../microblog/oauth1.js';
import { CONSOLE_PATH, html, page } from '../pages/page.js';
import { brandOf, TRIALS } from './console-page.js';

/** Where the trial's authorization responses arrive. */
export const CALLBACK_PATH = '/try/callback';

/** Logins that have begun; the oldest are dropped. */
const CAPACITY = 100;

type Fields = Readonly<Record<string, string>>;
type TextOptions = Readonly<Record<string, string | undefined>>;

/** A request that the trial makes to the sandbox, in the same process. */
export interface TrialRequest {
  readonly method: 'get' | 'post';
  /** URL without its query. */
  readonly url: string;
  readonly query?: Fields;
  readonly form?: Fields;
  readonly authorization?: string;
}

interface Pending {
  readonly network: string;
  readonly client: Client;
  readonly verifier: string;
  /** Secret of the request token, with OAuth 1.0a. */
  readonly secret: string;
}

/** Response to a step; `undefined` when a fault suppresses it. */
type Answer = NetworkResponse | undefined;

/** A step whose response has no token or no address to go on with. */
class BrokenTrial extends Error {
  override readonly name = 'BrokenTrial';

  constructor(
    readonly step: string,
    readonly response: Answer,
  ) {
    super(step);
  }
}

/** The application that the sandbox plays, so that every network can be tried without one. It uses the endpoints as any client does. */
export class TrialLogins {
  private readonly pending = new Map<string, Pending>();

  /** @param exchange - Sends a request to an endpoint. */
  constructor(
    private readonly world: World,
    private readonly exchange: (request: TrialRequest) => Answer,
  ) {}

  /** Begins a login. @returns A redirect to the network; `undefined` for a path that no trial has. */
  start(path: string): NetworkResponse | undefined {
    const trial = TRIALS.find((known) => known.path === path);
    if (!trial) return undefined;
    const { network, client } = trial;
    return shown(network, () => {
      const verifier = randomString(64);
      const options = this.optionsOf(client);
      if (options.requestTokenURL === undefined) {
        const state = randomString(43);
        this.keep(state, { network, client, verifier, secret: '' });
        const query = authorizationQuery(client, options, this.callbackURL, state, verifier);
        return redirect(`${options.authorizationURL}?${query}`);
      }
      const extra = { oauth_callback: this.callbackURL };
      const sent = this.signed('post', options.requestTokenURL, options, extra);
      const token = Parameters.parse(bodyOf('request token', sent));
      const oauth_token = required('request token', sent, token.get('oauth_token'));
      const secret = token.get('oauth_token_secret') ?? '';
      this.keep(oauth_token, { network, client, verifier, secret });
      return redirect(`${options.userAuthorizationURL}?${new URLSearchParams({ oauth_token }).toString()}`);
    });
  }

  finish(query: Parameters): NetworkResponse {
    // VK ID may put every parameter into one, as JSON.
    const payload = query.get('payload');
    const response = payload === undefined ? query : Parameters.parseJSON(payload);
    const id = response.get('state') ?? response.get('oauth_token') ?? response.get('denied') ?? '';
    const login = this.pending.get(id);
    if (!login) {
      const happened = 'The login is unknown: it is finished already, or was forgotten.';
      return brokenPage('a sandbox network', happened);
    }
    this.pending.delete(id);
    const { network, client } = login;
    if (response.has('error') || response.has('denied')) return declinedPage(network);
    return shown(network, () => {
      const options = this.optionsOf(client);
      const isOAuth1 = options.requestTokenURL !== undefined;
      const profile = isOAuth1
        ? this.oauth1Profile(login, options, response)
        : this.oauth2Profile(login, options, response);
      return profilePage(network, client.title, bodyOf('profile', profile));
    });
  }

  private get callbackURL(): string {
    return `${this.world.url}${CALLBACK_PATH}`;
  }

  private optionsOf(client: Client): TextOptions {
    const pairs = Object.entries(this.world.options(client));
    return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
  }

  private keep(id: string, login: Pending): void {
    const oldest = this.pending.keys().next();
    if (this.pending.size >= CAPACITY && !oldest.done) this.pending.delete(oldest.value);
    this.pending.set(id, login);
  }

  private oauth2Profile({ client, verifier }: Pending, options: TextOptions, response: Parameters): Answer {
    const { identifier = 'client_id', challenge, basic, withoutSecret, profile } = client.trial;
    const { clientID = '', clientSecret, serviceToken, tokenURL = '', profileURL: url = '' } = options;
    const device = response.get('device_id');
    const sent = this.exchange({
      method: 'post',
      url: tokenURL,
      form: {
        grant_type: 'authorization_code',
        code: response.get('code') ?? '',
        redirect_uri: this.callbackURL,
        ...(!basic && { [identifier]: clientID }),
        ...(!basic && !withoutSecret && clientSecret !== undefined && { client_secret: clientSecret }),
        ...(serviceToken !== undefined && { service_token: serviceToken }),
        ...(challenge && { code_verifier: verifier }),
        ...(device !== undefined && { device_id: device, state: response.get('state') ?? '' }),
      },
      ...(basic && {
        authorization: `Basic ${Buffer.from(`${clientID}:${clientSecret}`).toString('base64')}`,
      }),
    });
    const access_token = required('token', sent, accessToken(bodyOf('token', sent)));
    if (profile.method === 'post')
      return this.exchange({ method: 'post', url, form: { client_id: clientID, access_token } });
    const authorization = `Bearer ${access_token}`;
    return this.exchange({ method: 'get', url, query: profile.query, authorization });
  }

  private oauth1Profile({ secret }: Pending, options: TextOptions, response: Parameters): Answer {
    const { accessTokenURL = '', profileURL = '' } = options;
    const [oauth_token = '', oauth_verifier = ''] = ['oauth_token', 'oauth_verifier'].map((name) =>
      response.get(name),
    );
    const sent = this.signed('post', accessTokenURL, options, { oauth_token, oauth_verifier }, secret);
    const token = Parameters.parse(bodyOf('access token', sent));
    const access = { oauth_token: required('access token', sent, token.get('oauth_token')) };
    return this.signed('get', profileURL, options, access, token.get('oauth_token_secret'));
  }

  private signed(
    method: 'get' | 'post',
    url: string,
    { clientID = '', clientSecret = '' }: TextOptions,
    extra: Fields,
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
    const signature = hmacSha1Signature(method.toUpperCase(), url, parameters, clientSecret, tokenSecret);
    const pairs = Object.entries({ ...parameters, oauth_signature: signature });
    const header = pairs.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`);
    return this.exchange({ method, url, authorization: `OAuth ${header.join(', ')}` });
  }
}

function authorizationQuery(
  { trial }: Client,
  { clientID = '' }: TextOptions,
  redirect_uri: string,
  state: string,
  verifier: string,
): string {
  const { identifier = 'client_id', challenge, authorization } = trial;
  const pkce = challenge && {
    code_challenge: hash('sha256', verifier, challenge),
    code_challenge_method: 'S256',
  };
  const common = { [identifier]: clientID, response_type: 'code', redirect_uri, state };
  return new URLSearchParams({ ...common, ...pkce, ...authorization }).toString();
}

function shown(network: string, steps: () => NetworkResponse): NetworkResponse {
  try {
    return steps();
  } catch (error) {
    if (!(error instanceof BrokenTrial)) throw error;
    const { step, response } = error;
    const happened = response ? `status ${response.status}` : 'no response';
    const sentence = `The ${step} request got ${happened}. The console says why.`;
    return brokenPage(network, sentence, response?.body);
  }
}

function bodyOf(step: string, response: Answer): string {
  if (!response || response.status >= 400) throw new BrokenTrial(step, response);
  return response.body;
}

function required(step: string, response: Answer, value: string | undefined): string {
  if (!value) throw new BrokenTrial(step, response);
  return value;
}

function accessToken(body: string): string | undefined {
  const token: unknown = Object(parsed(body)).access_token;
  return typeof token === 'string' ? token : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const BACK = html`<div class="actions">
<a class="button primary" href="${CONSOLE_PATH}">Back to the console</a>
<a class="button" href="${CONSOLE_PATH}#credentials">Credentials for your application</a>
</div>`;

function declinedPage(network: string): NetworkResponse {
  const content = html`<h1>Login declined</h1>
<p>${brandOf(network)} told the application that the person said no. An application should be calm about it, and offer to try again.</p>
${BACK}`;
  return page('Login declined', content, { width: 'narrow' });
}

/** The end of a login that was tried. @param profile - Text of the profile response. */
function profilePage(network: string, client: string, profile: string): NetworkResponse {
  const title = `Logged in with ${brandOf(network)}`;
  const content = html`<h1>${title}</h1>
<p class="quiet">${client}</p>
<div class="card">
<h2>What the application gets</h2>
<pre tabindex="0" aria-label="Profile">${indented(profile)}</pre>
</div>
${BACK}`;
  return page(title, content, { width: 'narrow' });
}

function brokenPage(network: string, happened: string, body?: string): NetworkResponse {
  const content = html`<h1>The login with ${brandOf(network)} stopped</h1>
<div class="card problem"><p>${happened}</p>
${body === undefined ? '' : html`<pre tabindex="0" aria-label="Response">${indented(body)}</pre>`}</div>
${BACK}`;
  return page('The login stopped', content, { status: 502, width: 'narrow' });
}

const indented = (body: string): string => JSON.stringify(parsed(body), null, 2) ?? body;
