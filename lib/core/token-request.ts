import { member, textMember } from './answer.js';
import { type LoginStep, MalformedError } from './errors.js';
import type { JSONAnswer, NetworkClient } from './network-client.js';
import type { OAuth2Network, OAuth2Settings } from './oauth2-network.js';

/** Builds, sends and checks requests to a token endpoint (RFC 6749 sections 4.1.3, 5 and 6). */
export async function requestToken(
  client: NetworkClient,
  settings: OAuth2Settings,
  network: OAuth2Network,
  request: {
    step: LoginStep;
    form: Readonly<Record<string, string>>;
    parseErrorResponse: (body: string, status: number) => Error | null;
  },
): Promise<JSONAnswer> {
  const { step, parseErrorResponse } = request;
  const { form, headers } = authenticateClient(settings, network, request.form);
  const answer = await client.sendForJSON({
    step,
    method: 'POST',
    url: settings.tokenURL,
    form,
    headers,
    secrets: secretsOf(settings, form),
    parseErrorResponse,
  });
  checkTokenAnswer(answer, network, { provider: settings.name, step });
  return answer;
}

/**
 * Adds the client's credentials in the one way that the network wants (RFC 6749 section 2.3 allows one). A public client
 * sends its identifier alone, and no empty secret.
 */
export function authenticateClient(
  { clientID, clientSecret }: OAuth2Settings,
  { clientParameter, clientAuthentication }: OAuth2Network,
  form: Readonly<Record<string, string>>,
): { form: Record<string, string>; headers: Record<string, string> } {
  if (clientSecret === undefined) return { form: { ...form, [clientParameter]: clientID }, headers: {} };
  if (clientAuthentication === 'form') {
    return { form: { ...form, [clientParameter]: clientID, client_secret: clientSecret }, headers: {} };
  }
  const credentials = `${encodeURIComponent(clientID)}:${encodeURIComponent(clientSecret)}`;
  return {
    form: { ...form },
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}

/** What an error after this request must not repeat: everything confidential that went out. */
export function secretsOf(
  { clientID, clientSecret }: OAuth2Settings,
  form: Readonly<Record<string, string>>,
): string[] {
  const { code, code_verifier, refresh_token, token, access_token } = form;
  const secret = clientSecret === undefined ? [] : [clientSecret, `${clientID}:${clientSecret}`];
  return [code, code_verifier, refresh_token, token, access_token, ...secret].filter(
    (text) => text !== undefined,
  );
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
