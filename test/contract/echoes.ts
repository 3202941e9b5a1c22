import type { Reply } from '../support/server.js';
import type { Echo } from './eavesdropper.js';

/** A secret that an answer brings, and an error made of that answer must not repeat. */
export const FRESH_SECRET = 'fresh-secret-of-a-hostile-network-0123456789';

type Spelling = (secret: string) => string;

/** The spellings in which servers repeat what they were sent. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  plain: (secret) => secret,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'form-encoded': (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'interspersed with zero-width spaces': (secret) => secret.split('').join('\u200b'),
  'interspersed with soft hyphens': (secret) => secret.split('').join('\u00ad'),
  'interspersed with variation selectors': (secret) => secret.split('').join('\ufe0f'),
  'in control characters': (secret) => secret.split('').join('\u0007'),
};

/** Places in which an error answer repeats a text: each network reads some of them. */
const PLACES: Readonly<Record<string, (text: string) => Reply>> = {
  'an error_description with 400': (text) => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: text },
  }),
  'an error_description with 200': (text) => ({ body: { error: 'invalid_grant', error_description: text } }),
  'an error code': (text) => ({ status: 401, body: { error: text, log_id: text } }),
  'a nested error': (text) => ({
    status: 401,
    body: {
      error: { code: text, message: text, log_id: text, error_code: 5, error_msg: text },
      data: {},
    },
  }),
  'a nested error with 200': (text) => ({
    body: {
      error: {
        code: text,
        message: text,
        log_id: text,
        error_code: text,
        error_msg: text,
        request_params: [{ key: 'access_token', value: text }],
      },
    },
  }),
  'a list of errors': (text) => ({
    status: 403,
    body: { errors: [{ code: 89, message: text }, { message: text }] },
  }),
  'a problem': (text) => ({
    status: 403,
    body: { title: text, detail: text, type: `https://problems.example/${text}` },
  }),
  'XML with a code': (text) => ({
    status: 401,
    body: `<?xml version="1.0"?><errors><error code="32">${text}</error></errors>`,
  }),
  'XML without a code': (text) => ({ status: 401, body: `<hash><error>${text}</error></hash>` }),
  'a short sentence': (text) => ({ status: 401, body: text.slice(0, 200).replace(/ [^ ]*$/, '') }),
  'a page': (text) => ({ status: 500, body: `<html><p>${text}</p></html>` }),
};

/** Answers of other kinds. */
const OTHERS: Readonly<Record<string, Echo>> = {
  'a page with 200': (secrets) => ({ body: `<html><p>${secrets.join('<br>')}</p></html>` }),
  'a redirect to an address with the secrets': (secrets) => ({
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
  'a JSON text': (secrets) => ({ body: JSON.stringify(secrets.join(' ')) }),
  'a JSON array': (secrets) => ({ body: JSON.stringify(secrets) }),
  'JSON that is cut short': (secrets) => ({ body: `{"error":"${secrets.join(' ')}` }),
  'a token beside an error that names it': () => ({
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

/** Every way in which a hostile network says what it knows. */
export const ECHOES: Readonly<Record<string, Echo>> = {
  ...OTHERS,
  ...Object.fromEntries(
    Object.entries(PLACES).map(([place, say]): [string, Echo] => [
      `${place}, plain`,
      (secrets) => say(secrets.join(' ')),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SPELLINGS).map(([title, spell]): [string, Echo] => [
      `every known place at once, ${title}`,
      (secrets) => everywhere(secrets.map(spell).join(' ')),
    ]),
  ),
};

/** One answer that every network reads as a refusal with the text in it. */
function everywhere(text: string): Reply {
  return {
    status: 401,
    body: {
      error: { code: 'x', message: text, log_id: text, error_code: 5, error_msg: text },
      errors: [{ code: 89, message: text }],
    },
  };
}
