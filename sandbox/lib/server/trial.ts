import { hash } from 'node:crypto';
import type { Fields, NetworkRequest, NetworkResponse } from '../core/http.js';
import { Parameters, parsedJSON, redirect } from '../core/http.js';
import { CALLBACK_PATH } from '../core/redirect-uri.js';
import { randomString } from '../core/secrets.js';
import type { Credentials, World } from '../core/world.js';
import { ONE_TAP_PATH } from '../pages/assets.js';
import { actions, CONSOLE_PATH, type Html, html, page, titledPage } from '../pages/page.js';
import { brandOf, TRIALS, type Trial } from './console-page.js';

export type TrialRequest = Pick<NetworkRequest, 'method' | 'url'> &
  Partial<Pick<NetworkRequest, 'query' | 'form' | 'authorization'>>;

interface Pending extends Trial {
  readonly options: Fields;
  readonly codeVerifier: string;
}

type Answer = NetworkResponse | undefined;

/** A step whose response has no token to go on with. */
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
    return trial && this.begin(trial);
  }

  finish(query: Parameters): NetworkResponse {
    // VK ID may put every parameter into one, as JSON.
    const payload = query.one('payload');
    const response = payload === undefined ? query : Parameters.parseJSON(payload);
    const { state, value: login } = this.pending.use(response.one('state'));
    const unknown = 'The login is unknown: it is finished already, or was forgotten.';
    if (state !== 'live') return brokenPage('a sandbox network', unknown);
    const { network, client } = login;
    const brand = brandOf(network);
    if (response.has('error')) {
      const content = html`<p>${brand} told the application that the person said no. An application should be calm about it, and offer to try again.</p>`;
      return ending('Login declined', content);
    }
    try {
      const profile = this.profile(login, response);
      const content = html`<p class="quiet">${client.title}</p>
<div class="card">
<h2>What the application gets</h2>
${quotation('Profile', bodyOf('profile', profile))}
</div>`;
      return ending(`Logged in with ${brand}`, content);
    } catch (error) {
      if (!(error instanceof BrokenTrial)) throw error;
      const { step, response: answer } = error;
      const happened = answer ? `status ${answer.status}` : 'no response';
      const sentence = `The ${step} request got ${happened}. The console says why.`;
      return brokenPage(brand, sentence, answer?.body);
    }
  }

  private begin(trial: Trial): NetworkResponse {
    const options: Fields = { ...this.world.withCredentials(trial.client.options(this.world.url)) };
    const login: Pending = { ...trial, options, codeVerifier: randomString(64) };
    if (trial.isOneTap) return this.oneTapPage(login);
    const { identifier = 'client_id', challenge, authorization } = trial.requests;
    return redirect(options.authorizationURL ?? '', {
      [identifier]: options.clientID,
      response_type: 'code',
      redirect_uri: this.callbackURL,
      state: this.keep(login),
      ...(challenge && {
        code_challenge: hash('sha256', login.codeVerifier, challenge),
        code_challenge_method: 'S256',
      }),
      ...authorization,
    });
  }

  /** VK's button, once for each of its response modes, with the parameters that VK documents. */
  private oneTapPage(login: Pending): NetworkResponse {
    const buttons = ['redirect', 'callback'].map((responseMode) => {
      const parameters = {
        app: Number(login.options.clientID),
        redirectUrl: this.callbackURL,
        state: this.keep(login),
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

  private get callbackURL(): string {
    return `${this.world.url}${CALLBACK_PATH}`;
  }

  /** @returns The state of the login. */
  private keep(login: Pending): string {
    return this.pending.issue(randomString(43), login, Number.POSITIVE_INFINITY);
  }

  private profile({ requests, options, codeVerifier }: Pending, response: Parameters): Answer {
    const { identifier = 'client_id', challenge, basic, withoutSecret, profile } = requests;
    const { clientID = '', clientSecret, serviceToken, tokenURL = '', profileURL: url = '' } = options;
    const device = response.one('device_id');
    const form = Parameters.of({
      grant_type: 'authorization_code',
      code: response.one('code'),
      redirect_uri: this.callbackURL,
      ...(!basic && { [identifier]: clientID, client_secret: withoutSecret ? undefined : clientSecret }),
      service_token: serviceToken,
      code_verifier: challenge && codeVerifier,
      device_id: device,
      state: device && response.one('state'),
    });
    const credentials = Buffer.from(`${clientID}:${clientSecret}`).toString('base64');
    const authorization = basic ? `Basic ${credentials}` : undefined;
    const sent = this.exchange({ method: 'POST', url: tokenURL, form, authorization });
    const { access_token }: { readonly access_token?: unknown } = Object(parsedJSON(bodyOf('token', sent)));
    if (typeof access_token !== 'string') throw new BrokenTrial('token', sent);
    if (profile.method === 'post') {
      const token = Parameters.of({ client_id: clientID, access_token });
      return this.exchange({ method: 'POST', url, form: token });
    }
    const query = Parameters.of(profile.query);
    return this.exchange({ method: 'GET', url, query, authorization: `Bearer ${access_token}` });
  }
}

function bodyOf(step: string, response: Answer): string {
  if (!response || response.status >= 400) throw new BrokenTrial(step, response);
  return response.body;
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
