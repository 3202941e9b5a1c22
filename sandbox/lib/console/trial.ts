import { hash } from 'node:crypto';
import type { Client } from '../core/clients.js';
import { type NetworkResponse, Parameters, redirect } from '../core/http.js';
import { randomString } from '../core/oauth.js';
import type { World } from '../core/world.js';
import { hmacSha1Signature } from '../microblog/oauth1.js';
import { NETWORKS } from '../networks.js';
import { CONSOLE_PATH, html, page } from '../pages/page.js';
import { TRIALS } from './console-page.js';

/** Where the trial's authorization responses arrive. */
export const CALLBACK_PATH = '/try/callback';

/** Logins that have begun; the oldest are dropped. */
const CAPACITY = 100;

/** A request that the trial makes to the sandbox, in the same process. */
export interface TrialRequest {
  readonly method: 'get' | 'post';
  /** URL without its query. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly authorization?: string;
}

/** Sends a request to an endpoint. @returns The body, or `undefined` when a fault suppresses the response. */
export type Exchange = (request: TrialRequest) => NetworkResponse | undefined;

interface Pending {
  readonly network: string;
  readonly client: Client;
  readonly verifier: string;
  /** Secret of the request token, with OAuth 1.0a. */
  readonly secret: string;
}

/** A step whose response has no token or no address to go on with. */
class BrokenTrial extends Error {
  override readonly name = 'BrokenTrial';

  constructor(
    readonly step: string,
    readonly response: NetworkResponse | undefined,
  ) {
    super(step);
  }
}

/** The application that the sandbox plays, so that every network can be tried without one. It uses the endpoints as any client does. */
export class TrialLogins {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly world: World,
    private readonly exchange: Exchange,
  ) {}

  /** Begins a login. @returns A redirect to the network; `undefined` for a path that no trial has. */
  start(path: string): NetworkResponse | undefined {
    const trial = TRIALS.find((known) => known.path === path);
    if (!trial) return undefined;
    return shown(trial.network, () => {
      const { network, client } = trial;
      const verifier = randomString(64);
      const options = textOptions(client, this.world);
      if (options.requestTokenURL === undefined) {
        const state = randomString(43);
        this.keep(state, { network, client, verifier, secret: '' });
        return redirect(
          `${options.authorizationURL}?${this.authorization(client, options, state, verifier)}`,
        );
      }
      const sent = this.signed('post', options.requestTokenURL, options, {
        oauth_callback: this.callbackURL,
      });
      const token = Parameters.parse(bodyOf('request token', sent));
      const id = required('request token', sent, token.get('oauth_token'));
      this.keep(id, { network, client, verifier, secret: token.get('oauth_token_secret') ?? '' });
      return redirect(
        `${options.userAuthorizationURL}?${new URLSearchParams({ oauth_token: id }).toString()}`,
      );
    });
  }

  /** Finishes a login: gets the token and the profile, and shows them. */
  finish(query: Parameters): NetworkResponse {
    const response = responseParameters(query);
    const id = response.get('state') ?? response.get('oauth_token') ?? response.get('denied') ?? '';
    const login = this.pending.get(id);
    if (!login)
      return brokenTrialPage(
        'a sandbox network',
        'The login is unknown: it is finished already, or was forgotten.',
      );
    this.pending.delete(id);
    const { network, client } = login;
    if (response.has('error') || response.has('denied')) return trialPage(network, client.title, undefined);
    return shown(network, () => {
      const options = textOptions(client, this.world);
      const profile =
        options.requestTokenURL === undefined
          ? this.oauth2Profile(login, options, response)
          : this.oauth1Profile(login, options, response);
      return trialPage(network, client.title, bodyOf('profile', profile));
    });
  }

  private get callbackURL(): string {
    return `${this.world.url}${CALLBACK_PATH}`;
  }

  private keep(id: string, login: Pending): void {
    const oldest = this.pending.keys().next();
    if (this.pending.size >= CAPACITY && !oldest.done) this.pending.delete(oldest.value);
    this.pending.set(id, login);
  }

  private authorization({ trial }: Client, options: TextOptions, state: string, verifier: string): string {
    const { identifier = 'client_id', challenge, ...rest } = trial;
    const encoding = challenge === 'hex' ? 'hex' : 'base64url';
    return new URLSearchParams({
      [identifier]: options.clientID ?? '',
      response_type: 'code',
      redirect_uri: this.callbackURL,
      state,
      ...(challenge && { code_challenge: hash('sha256', verifier, encoding), code_challenge_method: 'S256' }),
      ...rest.authorization,
    }).toString();
  }

  private oauth2Profile(
    { client, verifier }: Pending,
    options: TextOptions,
    response: Parameters,
  ): NetworkResponse | undefined {
    const { identifier = 'client_id', challenge, basic, withoutSecret, profile } = client.trial;
    const { clientID = '', clientSecret, serviceToken } = options;
    const device = response.get('device_id');
    const sent = this.exchange({
      method: 'post',
      url: options.tokenURL ?? '',
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
    const token = required('token', sent, accessToken(bodyOf('token', sent)));
    const url = options.profileURL ?? '';
    if (profile.method === 'get') {
      return this.exchange({ method: 'get', url, query: profile.query, authorization: `Bearer ${token}` });
    }
    return this.exchange({ method: 'post', url, form: { client_id: clientID, access_token: token } });
  }

  private oauth1Profile(
    { secret }: Pending,
    options: TextOptions,
    response: Parameters,
  ): NetworkResponse | undefined {
    const approval = {
      oauth_token: response.get('oauth_token') ?? '',
      oauth_verifier: response.get('oauth_verifier') ?? '',
    };
    const sent = this.signed('post', options.accessTokenURL ?? '', options, approval, secret);
    const token = Parameters.parse(bodyOf('access token', sent));
    const access = { oauth_token: required('access token', sent, token.get('oauth_token')) };
    return this.signed('get', options.profileURL ?? '', options, access, token.get('oauth_token_secret'));
  }

  private signed(
    method: 'get' | 'post',
    url: string,
    { clientID = '', clientSecret = '' }: TextOptions,
    extra: Readonly<Record<string, string>>,
    tokenSecret = '',
  ): NetworkResponse | undefined {
    const parameters: Record<string, string> = {
      oauth_consumer_key: clientID,
      oauth_nonce: randomString(32),
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: String(Math.floor(this.world.clock.now() / 1000)),
      oauth_version: '1.0',
      ...extra,
    };
    const oauth_signature = hmacSha1Signature(
      method.toUpperCase(),
      url,
      parameters,
      clientSecret,
      tokenSecret,
    );
    const pairs = Object.entries({ ...parameters, oauth_signature });
    const header = pairs.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`);
    return this.exchange({ method, url, authorization: `OAuth ${header.join(', ')}` });
  }
}

type TextOptions = Readonly<Record<string, string | undefined>>;

function textOptions(client: Client, world: World): TextOptions {
  return Object.fromEntries(
    Object.entries(world.options(client)).map(([name, value]) => [name, String(value)]),
  );
}

/** VK ID may put every parameter into one, as JSON. */
function responseParameters(query: Parameters): Parameters {
  const payload = query.get('payload');
  return payload === undefined ? query : Parameters.parseJSON(payload);
}

function shown(network: string, steps: () => NetworkResponse): NetworkResponse {
  try {
    return steps();
  } catch (error) {
    if (!(error instanceof BrokenTrial)) throw error;
    const { step, response } = error;
    const happened = response ? `status ${response.status}` : 'no response';
    return brokenTrialPage(
      network,
      `The ${step} request got ${happened}. The console says why.`,
      response?.body,
    );
  }
}

function bodyOf(step: string, response: NetworkResponse | undefined): string {
  if (!response || response.status >= 400) throw new BrokenTrial(step, response);
  return response.body;
}

function required(step: string, response: NetworkResponse | undefined, value: string | undefined): string {
  if (!value) throw new BrokenTrial(step, response);
  return value;
}

function accessToken(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const token: unknown = Object(parsed).access_token;
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}

const BACK = html`<div class="actions">
<a class="button primary" href="${CONSOLE_PATH}">Back to the console</a>
<a class="button" href="${CONSOLE_PATH}#credentials">Credentials for your application</a>
</div>`;

/** The end of a login that was tried. @param profile - Text of the profile response; missing when the user declined. */
export function trialPage(network: string, title: string, profile: string | undefined): NetworkResponse {
  const brand = brandOf(network);
  if (profile === undefined) {
    return page(
      'Login declined',
      html`<h1>Login declined</h1>
<p>${brand} told the application that the person said no. An application should be calm about it, and offer to try again.</p>
${BACK}`,
      { width: 'narrow' },
    );
  }
  return page(
    `Logged in with ${brand}`,
    html`<h1>Logged in with ${brand}</h1>
<p class="quiet">${title}</p>
<div class="card">
<h2>What the application gets</h2>
<pre tabindex="0" aria-label="Profile">${indented(profile)}</pre>
</div>
${BACK}`,
    { width: 'narrow' },
  );
}

/** A login that was tried and could not go on. */
export function brokenTrialPage(network: string, happened: string, body?: string): NetworkResponse {
  return page(
    'The login stopped',
    html`<h1>The login with ${brandOf(network)} stopped</h1>
<div class="card problem"><p>${happened}</p>
${body === undefined ? '' : html`<pre tabindex="0" aria-label="Response">${indented(body)}</pre>`}</div>
${BACK}`,
    { status: 502, width: 'narrow' },
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function brandOf(network: string): string {
  return NETWORKS.find(({ name }) => name === network)?.appearance.brand ?? network;
}
