import { member, textMember } from './answer.js';
import { authenticateClient } from './client-authentication.js';
import { type LoginStep, MalformedError } from './errors.js';
import type { JSONAnswer, NetworkClient } from './network-client.js';
import type { OAuth2Network, OAuth2Settings, TokenAnswer } from './oauth2-network.js';
import { digestOf, equalSecrets } from './proof.js';
import { Refreshes, readTokens, requireToken, type Tokens } from './tokens.js';
import type { ErrorParser } from './transport.js';

/** A token request of a login, or in the way of passport-oauth2-refresh. */
export interface TokenRequest {
  readonly step: LoginStep;
  readonly form: Readonly<Record<string, string>>;
  /** What no error may repeat beside the form. */
  readonly secrets?: () => readonly string[];
  readonly parseErrorResponse: ErrorParser;
}

/** Where one client gets tokens (RFC 6749 sections 4.1.3, 5 and 6), and ends them. */
export class TokenEndpoint {
  private readonly client: NetworkClient;
  private readonly settings: OAuth2Settings;
  private readonly network: OAuth2Network;
  private readonly refreshes = new Refreshes();

  constructor(client: NetworkClient, settings: OAuth2Settings, network: OAuth2Network) {
    this.client = client;
    this.settings = settings;
    this.network = network;
  }

  /** @throws {@link MalformedError} for an answer without a token, or to another request. */
  request({ step, form, secrets, parseErrorResponse }: TokenRequest): Promise<JSONAnswer> {
    const { name: provider, tokenURL: url } = this.settings;
    const authenticated = authenticateClient(this.settings, this.network, form);
    const request = {
      step,
      method: 'POST',
      url,
      form: authenticated.form,
      headers: authenticated.headers,
      secrets: () => [...authenticated.secrets(), ...(secrets?.() ?? [])],
      parseErrorResponse,
    };
    return this.client.sendForJSON(request, (answer) => {
      const origin = { provider, step };
      checkTokenAnswer(answer, this.network, origin);
      checkEcho(answer, form, origin);
      return answer;
    });
  }

  /**
   * Trades a refresh token for new tokens: one request for one token, however often it is asked for at once.
   *
   * @param extra - What the network wants beside the token.
   * @param holder - What the token belongs to, where the network binds it: for another holder it is another request.
   */
  async refresh(
    refreshToken: string,
    extra: Record<string, string>,
    holder: string,
    parseErrorResponse: ErrorParser,
  ): Promise<Tokens> {
    requireToken(this.settings.name, 'refresh', refreshToken);
    const tokens = await this.refreshes.once(digestOf(refreshToken, holder), async () => {
      const form = { ...extra, grant_type: 'refresh_token', refresh_token: refreshToken };
      const { body } = await this.request({ step: 'refresh', form, parseErrorResponse });
      return readTokens(body as TokenAnswer, refreshToken);
    });
    // Everybody who asked at once gets an object of their own.
    return { ...tokens, scope: [...tokens.scope], params: { ...tokens.params } };
  }

  /** Sends a token to an address that ends it. */
  async revoke(url: string, form: Record<string, string>): Promise<void> {
    for (const token of Object.values(form)) requireToken(this.settings.name, 'revoke', token);
    await this.client.send({
      step: 'revoke',
      method: 'POST',
      url,
      ...authenticateClient(this.settings, this.network, form),
    });
  }
}

function checkTokenAnswer(
  { body }: JSONAnswer,
  { tokenTypeRequired }: OAuth2Network,
  origin: { provider: string; step: LoginStep },
): void {
  if (textMember(body, 'access_token') === undefined) {
    throw new MalformedError({
      ...origin,
      code: 'token_missing',
      message: 'the answer has no access token that is a text.',
      remedy: 'Check tokenURL; community or application tokens are no logins.',
    });
  }
  const type = member(body, 'token_type');
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
  if (isBearer || ((type === undefined || type === null) && !tokenTypeRequired)) return;
  throw new MalformedError({
    ...origin,
    code: 'token_type_unknown',
    message: 'the answer does not say that its token is a bearer token.',
    remedy: 'Check tokenURL.',
  });
}

/** Where a token request carries a state, its answer repeats it, or leaves it empty. */
function checkEcho(
  { body }: JSONAnswer,
  { state }: Readonly<Record<string, string>>,
  origin: { provider: string; step: LoginStep },
): void {
  const echo = textMember(body, 'state');
  if (state === undefined || echo === undefined || equalSecrets(echo, state)) return;
  throw new MalformedError({
    ...origin,
    code: 'state_mismatch',
    message: 'the answer belongs to another request: its state is not the one that was sent.',
    remedy: 'Check tokenURL.',
  });
}
