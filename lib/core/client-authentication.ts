import { withMembers } from './answer.js';
import type { OAuth2Network, OAuth2Settings } from './oauth2-network.js';

/** A form with the client's credentials, and everything in it that no error may repeat. */
interface AuthenticatedForm {
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
  const credentials = [clientID, clientSecret].map((part) => encodeURIComponent(part)).join(':');
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
