import { expect } from 'chai';
import type { Sandbox, SandboxFault, SandboxFaultRule } from '../../sandbox/lib/index.js';
import { classOf, type Subject } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { expectPage } from '../support/page.js';
import { verifyProfile } from '../support/verification.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  bearer,
  type Changes,
  changesIn,
  expectError,
  type Fields,
  get,
  HEX_CHALLENGE,
  post,
  REDIRECT_URI,
  type Reply,
  reasonOf,
  responseParameters,
  type rows,
  type Signer,
  signed,
  stringIn,
  urlWith,
  VERIFIER,
  withSandbox,
} from './requests.js';

export const STATE = 'a-state_of-32-characters-or-more';

const S256 = { code_challenge: BASE64URL_CHALLENGE, code_challenge_method: 'S256' };
export const EXCHANGE = {
  grant_type: 'authorization_code',
  redirect_uri: REDIRECT_URI,
  code_verifier: VERIFIER,
};
const REFRESH = { grant_type: 'refresh_token' };

interface Options {
  readonly clientID: string;
  readonly authorizationURL: string;
  readonly tokenURL: string;
  readonly profileURL: string;
}

/** An OAuth 2.0 client that sends valid requests; `changes` override their parameters. */
abstract class Client<O extends Options> {
  constructor(protected readonly sandbox: Sandbox) {}

  abstract get options(): O;
  /** Parameters of the authorization request, besides those of every network. */
  protected abstract get query(): Changes;

  get id(): string {
    return this.options.clientID;
  }

  authorization(changes: Changes = {}): string {
    const common = { response_type: 'code', redirect_uri: REDIRECT_URI, state: 'xyz' };
    return urlWith(this.options.authorizationURL, { ...common, ...this.query, ...changes });
  }

  /** Lets the user consent; returns the parameters of the authorization response. */
  async authorize(changes: Changes = {}): Promise<Record<string, string>> {
    return responseParameters(await get(this.authorization({ auto: 'allow', ...changes })));
  }

  async code(changes: Changes = {}): Promise<string> {
    return stringIn(await this.authorize(changes), 'code');
  }
}

/**
 * Tests of changed authorization requests: each gets an error page with the reason, and no redirect.
 *
 * @param rejected - Rows of changes, reason, and whatever else `shown` needs to say what the page has.
 */
export function showsErrorPages(
  sandbox: Sandbox,
  client: Pick<Client<Options>, 'authorization'>,
  rejected: ReturnType<typeof rows>,
  shown: (...cells: readonly string[]) => readonly string[],
): void {
  for (const [changes = '', reason, ...cells] of rejected) {
    it(`shows an error page with the reason: ${changes.slice(0, 80)}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changesIn(changes) }));
      expect(reply.status).to.equal(400);
      expect(reply.headers.location).to.equal(undefined);
      expectPage(reply.text).toHave(...shown(...cells));
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }
}

function pairIn({ json }: Reply): Record<'accessToken' | 'refreshToken', string> {
  return { accessToken: stringIn(json, 'access_token'), refreshToken: stringIn(json, 'refresh_token') };
}

/** A client whose token request has a code or refresh token, and nothing of its own. */
abstract class TokenClient<O extends Options> extends Client<O> {
  abstract token(fields: Fields, headers?: Fields): Promise<Reply>;

  exchange(code: string, changes: Fields = {}, headers?: Fields): Promise<Reply> {
    return this.token({ ...EXCHANGE, code, ...changes }, headers);
  }

  refresh(refresh_token: string, headers?: Fields): Promise<Reply> {
    return this.token({ ...REFRESH, refresh_token }, headers);
  }

  async tokens(changes: Changes = {}) {
    return pairIn(await this.exchange(await this.code(changes)));
  }
}

export class ShortVideoClient extends TokenClient<Options & { clientSecret: string; revocationURL: string }> {
  get options() {
    return this.sandbox.options('short-video');
  }

  protected get query(): Changes {
    return { client_key: this.id, scope: 'user.info.basic', ...S256, code_challenge: HEX_CHALLENGE };
  }

  get credentials(): Fields {
    return { client_key: this.id, client_secret: this.options.clientSecret };
  }

  token(fields: Fields): Promise<Reply> {
    return post(this.options.tokenURL, { ...this.credentials, ...fields });
  }

  revoke(token: string): Promise<Reply> {
    return post(this.options.revocationURL, { ...this.credentials, token });
  }

  profile(accessToken: string, fields: string): Promise<Reply> {
    return get(urlWith(this.options.profileURL, { fields }), bearer(accessToken));
  }

  /** Expects an OAuth error: HTTP 200, a flat object, the request ID in body and header. */
  expectError(reply: Reply, error: string, error_description: string, reason: string): void {
    const log_id = stringIn(reply.json, 'log_id');
    expectError(this.sandbox, reply, 200, { error, error_description, log_id }, reason);
    expect(log_id).to.match(/^\d{14}[0-9A-F]{20}$/);
    expect(reply.headers['x-tt-logid']).to.equal(log_id);
  }
}

export class OAuth2Client extends TokenClient<Options & { revocationURL: string }> {
  /** @param send - How the token and revocation endpoints are asked; `postJson` sends JSON. */
  constructor(
    sandbox: Sandbox,
    private readonly kind: 'confidential' | 'public' = 'confidential',
    private readonly send: typeof post = post,
  ) {
    super(sandbox);
  }

  get options(): Options & { revocationURL: string } {
    if (this.kind === 'public') return this.sandbox.options('microblog', { client: 'public' });
    return this.sandbox.options('microblog');
  }

  protected get query(): Changes {
    return { client_id: this.id, scope: 'tweet.read users.read offline.access', ...S256 };
  }

  /** Client authentication: HTTP Basic, or the `client_id` in the body. */
  private get headers(): Fields {
    return this.kind === 'public' ? {} : basic(this.id, this.sandbox.options('microblog').clientSecret);
  }

  private get body(): Fields {
    return this.kind === 'public' ? { client_id: this.id } : {};
  }

  token(fields: Fields, headers = this.headers): Promise<Reply> {
    return this.send(this.options.tokenURL, { ...this.body, ...fields }, headers);
  }

  revoke(fields: Fields, headers = this.headers): Promise<Reply> {
    return this.send(this.options.revocationURL, { ...this.body, ...fields }, headers);
  }

  lookup(accessToken: string, query: Fields = {}): Promise<Reply> {
    return get(urlWith(this.options.profileURL, query), bearer(accessToken));
  }
}

export class ClassicClient extends Client<Options & { clientSecret: string }> {
  get options() {
    return this.sandbox.options('social-network');
  }

  protected get query(): Changes {
    return { client_id: this.id, v: '5.126' };
  }

  exchange(code: string, changes: Fields = {}): Promise<Reply> {
    const { tokenURL, clientSecret } = this.options;
    const fields = { client_id: this.id, client_secret: clientSecret, redirect_uri: REDIRECT_URI, code };
    return post(tokenURL, { ...fields, ...changes });
  }

  async accessToken(person = 'alice'): Promise<string> {
    return stringIn((await this.exchange(await this.code({ person }))).json, 'access_token');
  }
}

type VkIdTokens = Readonly<Record<'access_token' | 'refresh_token' | 'device_id', string>>;

export class VkIdClient extends Client<Options & { revocationURL: string; logoutURL: string }> {
  get options() {
    return this.sandbox.options('social-network', { version: '2.1' });
  }

  protected get query(): Changes {
    return { client_id: this.id, state: STATE, ...S256 };
  }

  private send(url: string, fields: Fields): Promise<Reply> {
    return post(url, { client_id: this.id, ...fields });
  }

  token(fields: Fields, query: Fields = {}): Promise<Reply> {
    return this.send(urlWith(this.options.tokenURL, query), fields);
  }

  exchange({ code = '', device_id = '' }: Record<string, string>, changes: Fields = {}): Promise<Reply> {
    return this.token({ ...EXCHANGE, code, device_id, ...changes });
  }

  refresh({ refresh_token, device_id }: VkIdTokens): Promise<Reply> {
    return this.token({ ...REFRESH, refresh_token, device_id });
  }

  async tokens(changes: Fields = {}): Promise<VkIdTokens> {
    const parameters = await this.authorize(changes);
    const { accessToken: access_token, refreshToken: refresh_token } = pairIn(
      await this.exchange(parameters),
    );
    return { access_token, refresh_token, device_id: parameters.device_id ?? '' };
  }

  userInfo(fields: Fields): Promise<Reply> {
    return this.send(this.options.profileURL, fields);
  }

  publicInfo(fields: Fields): Promise<Reply> {
    return this.send(this.options.profileURL.replace('user_info', 'public_info'), fields);
  }

  revoke(access_token: string): Promise<Reply> {
    return this.send(this.options.revocationURL, { access_token });
  }

  logout(access_token: string): Promise<Reply> {
    return this.send(this.options.logoutURL, { access_token });
  }
}

type Token = Readonly<Record<'token' | 'tokenSecret', string>>;

/** An OAuth 1.0a client of the microblog network that sends valid requests, unless the arguments say otherwise. */
export class OAuth1Client {
  constructor(private readonly sandbox: Sandbox) {}

  get options() {
    return this.sandbox.options('microblog', { version: '1.0' });
  }

  get signer(): Signer {
    const { clientID, clientSecret } = this.options;
    return { clientID, clientSecret };
  }

  private post(url: string, token: Partial<Token>, oauth: Fields = {}): Promise<Reply> {
    return post(url, {}, signed('POST', url, { ...this.signer, ...token }, oauth));
  }

  start(oauth: Fields = { oauth_callback: REDIRECT_URI }, signer = this.signer): Promise<Reply> {
    return this.post(this.options.requestTokenURL, signer, oauth);
  }

  async requestToken(callback = REDIRECT_URI): Promise<Token> {
    return tokenIn(await this.start({ oauth_callback: callback }));
  }

  authorization(token: string, query: Fields = {}): string {
    return urlWith(this.options.userAuthorizationURL, { oauth_token: token, ...query });
  }

  /** Lets the user consent; returns the verifier. */
  async verifier(token: string, person = 'alice'): Promise<string> {
    const reply = await get(this.authorization(token, { auto: 'allow', person }));
    return stringIn(responseParameters(reply), 'oauth_verifier');
  }

  /** Exchanges a request token, with the parameters in the header. */
  exchange(token: Token, oauth: Fields): Promise<Reply> {
    return this.post(this.options.accessTokenURL, token, oauth);
  }

  async accessToken(person = 'alice'): Promise<Token> {
    const requestToken = await this.requestToken();
    const verifier = await this.verifier(requestToken.token, person);
    return tokenIn(await this.exchange(requestToken, { oauth_verifier: verifier }));
  }

  get(url: string, token: Token, query: Fields = {}): Promise<Reply> {
    return get(urlWith(url, query), signed('GET', url, { ...this.signer, ...token }, {}, query));
  }

  verifyCredentials(token: Token, query: Fields = {}): Promise<Reply> {
    return this.get(this.options.profileURL, token, query);
  }

  revoke(token: Token): Promise<Reply> {
    return this.post(this.options.revocationURL, token);
  }
}

function tokenIn(reply: Reply): Token {
  const fields = Object.fromEntries(new URLSearchParams(reply.text));
  return { token: stringIn(fields, 'oauth_token'), tokenSecret: stringIn(fields, 'oauth_token_secret') };
}

export function strategyFor(subject: Subject, sandbox: Sandbox): NamedStrategy {
  return new (classOf(subject))({ ...subject.options(sandbox) }, verifyProfile);
}

/**
 * Logs alice in while an endpoint has a fault.
 *
 * @returns `logged in`, the code of a failure, or class, code and status of the error.
 */
export async function endingWith(
  subject: Subject,
  step: 'token' | 'profile',
  fault: SandboxFault,
): Promise<string> {
  const { provider: network, faults } = subject;
  const version = faults.version as SandboxFaultRule['version'];
  const rule = { network, endpoint: faults[step], fault, ...(version && { version }) };
  return withSandbox({ faults: [rule] }, async (sandbox) => {
    const app = await loginApp(strategyFor(subject, sandbox));
    const { status, json } = await logIn(app, network).finally(() => app.close());
    if (status === 200) return 'logged in';
    if (json.failure) return json.failure.code;
    return `${json.error} ${json.code} ${status}`;
  });
}
