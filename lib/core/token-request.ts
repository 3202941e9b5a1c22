import { member, textMember, withMembers } from './answer.js';
import { type LoginStep, MalformedError } from './errors.js';
import type { JSONAnswer, NetworkClient } from './network-client.js';
import type { OAuth2Network, OAuth2Settings } from './oauth2-network.js';
import { equalSecrets } from './proof.js';

/** Builds, sends and checks requests to a token endpoint (RFC 6749 sections 4.1.3, 5 and 6). */
export function requestToken(
  client: NetworkClient,
  settings: OAuth2Settings,
  network: OAuth2Network,
  request: {
    step: LoginStep;
    form: Readonly<Record<string, string>>;
    /** What no error may repeat beside the form. */
    secrets: () => readonly string[];
    parseErrorResponse: (body: string, status: number) => Error | null;
  },
): Promise<JSONAnswer> {
  const { step, parseErrorResponse } = request;
  const { form, headers, secrets } = authenticateClient(settings, network, request.form);
  const origin = { provider: settings.name, step };
  return client.sendForJSON(
    {
      step,
      method: 'POST',
      url: settings.tokenURL,
      form,
      headers,
      secrets: () => [...secrets(), ...request.secrets()],
      parseErrorResponse,
    },
    (answer) => {
      checkTokenAnswer(answer, network, origin);
      checkEcho(answer, request.form, origin);
      return answer;
    },
  );
}

/** A form with the client's credentials, and everything in it that no error may repeat. */
export interface AuthenticatedForm {
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Record<string, string>;
  readonly secrets: () => readonly string[];
}

/**
 * Adds the client's credentials in the one way that the network wants (RFC 6749 section 2.3 allows one). A public client
 * sends its identifier alone, and no empty secret.
 */
export function authenticateClient(
  { clientID, clientSecret }: OAuth2Settings,
  { clientParameter, clientAuthentication }: OAuth2Network,
  form: Readonly<Record<string, string>>,
): AuthenticatedForm {
  if (clientSecret === undefined || clientAuthentication === 'form') {
    return {
      form: withMembers(form, {
        [clientParameter]: clientID,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      }),
      headers: {},
      secrets: () => secretMembers(form),
    };
  }
  const credentials = [clientID, clientSecret]
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    form,
    headers: { authorization },
    secrets: () => [...secretMembers(form), credentials],
  };
}

/** What a token request holds that everybody may know; all else in it is confidential. */
const PUBLIC_MEMBERS = ['grant_type', 'redirect_uri'];

function secretMembers(form: Readonly<Record<string, string>>): string[] {
  return Object.entries(form)
    .filter(([name]) => !PUBLIC_MEMBERS.includes(name))
    .map(([, value]) => value);
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
