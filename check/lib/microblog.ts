import { isLoopback } from 'passport-social-networks/internal';
import {
  codeRefused,
  type KnownResponse,
  type Meaning,
  type NetworkKnowledge,
  tryLater,
} from './network-knowledge.js';

const PORTAL = 'console.x.com';
const API_REFERENCE = 'https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11)';
const CODES = 'https://docs.x.com/x-api/fundamentals/response-codes-and-errors (commit 6e3e6fc5, 2025-06)';
/** Both try a pair of credentials with an invalid refresh token, and list what X responds to a wrong one. */
const CREDENTIALS_TRIED =
  'https://github.com/volyx/SimplyTweeted (README.md), https://github.com/bhavya368/unravel-test-api (docs/social-syndication.md)';

/** @see https://docs.x.com/fundamentals/developer-apps (read 2026-11) */
const judgeCallback: NetworkKnowledge['judgeCallback'] = (url) => {
  if (url.hostname === 'localhost') {
    return {
      verdict: 'failed',
      message: "X's documentation rules out localhost",
      remedy: 'Use http://127.0.0.1 with the same port, at X, in callbackURL and in the browser.',
    };
  }
  if (url.protocol === 'https:' || isLoopback(url)) {
    return { verdict: 'passed', message: 'X accepts such URLs' };
  }
  return {
    verdict: 'failed',
    message: "X's documentation asks for https, and a browser would send the code in the clear",
    remedy: 'Use https. On your own machine use http://127.0.0.1.',
  };
};

/** Whether text is the base64url form of `...:1:ci` or the like, as all client IDs of OAuth 2.0 in X's documentation are. */
function isOAuth2ClientID(text: string): boolean {
  return /^[\w-]+$/.test(text) && /:\d+:[a-z]+$/.test(Buffer.from(text, 'base64url').toString('latin1'));
}

export const microblogOAuth2: NetworkKnowledge = {
  brand: 'X',
  title: 'X, OAuth 2.0',
  protocol: 'OAuth 2.0',
  portal: PORTAL,
  credentialNames: ({ secret }) => (secret === undefined ? 'client ID' : 'client ID and client secret'),
  responses: [
    {
      code: 'unauthorized_client',
      means: 'client refused',
      says: 'knows the client ID, but the client secret is missing or wrong',
      remedy:
        'Copy the Client Secret again from console.x.com, or regenerate it there. A Web App, Automated App or Bot is a confidential client, which needs it; a Native App or Single page App has none.',
      evidence: `observed: superfaceai/passport-twitter-oauth2#42, tweepy/tweepy#2035, ${CREDENTIALS_TRIED}`,
    },
    {
      code: 'invalid_client',
      message: 'Value passed for the client id was invalid',
      means: 'client refused',
      says: 'does not know the client ID',
      evidence: `observed: https://github.com/0xNyk/xint (lib/oauth.ts), ${CREDENTIALS_TRIED}`,
    },
    codeRefused(
      'observed: PLhery/node-twitter-api-v2#496',
      'invalid_request',
      'Value passed for the authorization code was invalid',
    ),
    codeRefused(
      'documented: docs.x.com, commit fc4f70a2',
      'invalid_request',
      'Value passed for the redirect uri did not match',
    ),
    codeRefused(
      'observed: xdevplatform/twitter-api-typescript-sdk#26',
      'invalid_request',
      'Value passed for the code verifier did not match',
    ),
  ],
  usualCauses: ({ secret }) => [
    ...(secret === undefined ? [] : ['the two are swapped']),
    'it is the API Key, which belongs to OAuth 1.0a',
    'OAuth 2.0 is not set up in "User authentication settings"',
    'a character is missing or wrong',
  ],

  suspicion({ clientID, secret = '' }) {
    if (isOAuth2ClientID(clientID)) return undefined;
    return isOAuth2ClientID(secret)
      ? 'clientSecret has the form of a Client ID: the two are probably swapped.'
      : "clientID does not have the form of the Client IDs in X's documentation. An API Key belongs to OAuth 1.0a, version: '1.0'.";
  },

  code: (random) => Buffer.from(`${random}:1000000000000:1:0:ac:1`).toString('base64url'),
  unknownClientID: (random) => Buffer.from(`${random.slice(0, 20)}:1:na`).toString('base64url'),
  judgeCallback,
};

/** Documented error codes -> what they say, with one meaning for all. */
function documented(
  means: Meaning,
  codes: Readonly<Record<number, string>>,
  remedy?: string,
): KnownResponse[] {
  const common = { means, evidence: `documented: ${CODES}`, ...(remedy !== undefined && { remedy }) };
  return Object.entries(codes).map(([code, says]) => ({ code, says, ...common }));
}

export const microblogOAuth1: NetworkKnowledge = {
  brand: 'X',
  title: 'X, OAuth 1.0a',
  protocol: 'OAuth 1.0a',
  portal: PORTAL,
  credentialNames: () => 'API key and API key secret',
  responses: [
    ...documented('client refused', {
      32: 'does not accept this pair of API key and API key secret',
      99: 'cannot verify this pair of API key and API key secret',
      215: 'cannot use these credentials',
    }),
    {
      message: 'Failed to validate oauth signature and token',
      means: 'client refused',
      says: 'cannot validate what API key and API key secret sign',
      evidence: 'observed: plain text with HTTP 401, in public reports',
    },
    ...documented('clock refused', { 135: 'refuses the timestamp of the request' }),
    {
      code: '415',
      means: 'callback refused',
      says: 'does not have this callback URL for the application',
      evidence: `documented: ${CODES}; observed: arunagw/omniauth-twitter#144`,
    },
    ...documented('callback refused', { 417: 'has no callback URL for the application' }),
    ...documented(
      'application closed',
      {
        87: 'does not permit the application to do this',
        220: 'gives the application no access with these credentials',
        416: 'has suspended the application',
        453: 'does not include this in the access level of the application',
      },
      "Look at the application's state, package and permissions at console.x.com.",
    ),
    ...tryLater(`documented: ${CODES}`, '88', '130', '131'),
  ],
  acceptance: `documented: ${API_REFERENCE}`,
  usualCauses: () => [
    'the two are swapped',
    'they are the Client ID and Client Secret, which belong to OAuth 2.0',
    'they are an access token and its secret',
    'the key was regenerated',
    'they are from different applications',
    'a character is missing or wrong',
  ],

  suspicion({ clientID, secret = '' }) {
    if (isOAuth2ClientID(clientID)) {
      return 'clientID has the form of an OAuth 2.0 Client ID. OAuth 1.0a needs the API Key and its secret.';
    }
    // The documented example has 22 and 42 characters (creating-a-signature, read 2026-11).
    return clientID.length > secret.length
      ? 'clientID is longer than clientSecret, but an API Key is shorter than its secret: the two are probably swapped.'
      : undefined;
  },

  judgeCallback,
};
