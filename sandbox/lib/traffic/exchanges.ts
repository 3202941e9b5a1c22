import { parseURL } from '../core/checks.js';
import { type NetworkRequest, type NetworkResponse, Parameters } from '../core/http.js';
import { MASK, type World } from '../core/world.js';

/** The requests of one login, as the console names them. */
export interface Login {
  /** Name of the application, as far as the authorization page has told. */
  application?: string | undefined;
  /** Who decided, or that they declined. */
  person?: string | undefined;
}

/** What was received and answered. It is kept with its secrets, and shown without them. */
export interface Exchange {
  readonly received: NetworkRequest;
  /** Missing when a fault suppresses it. */
  readonly response: NetworkResponse | undefined;
  readonly login: Login | undefined;
}

/** Where a login begins. */
const BEGINNINGS = ['authorization', 'request token'];

/** Parameters that the requests and responses of one login share, those that belong to nothing else first. */
const SHARED = 'code oauth_token denied access_token refresh_token token id_token state'.split(' ');

/** Shared values that are remembered; the oldest are dropped. */
const CAPACITY = 10_000;

/** Keeps of a long response only what is shown: a copy, because a part of a string keeps all of it in memory. */
export function briefly(response: NetworkResponse): NetworkResponse {
  if (response.body.length <= SHOWN + 1) return response;
  return { ...response, body: Buffer.from(response.body.slice(0, SHOWN + 1)).toString() };
}

/** Finds out which requests belong to one login, by the values that they share. */
export class Logins {
  private readonly byValue = new Map<string, Login>();

  /** The login of a request that was handled; `undefined` if it has no value that another login knows. */
  of(endpoint: string, received: NetworkRequest, response?: NetworkResponse): Login | undefined {
    const { notes, authorization = '' } = received;
    const [, token] = /(?:^Bearer +|oauth_token=")([^\s"]+)/i.exec(authorization) ?? [];
    const values = [...(token === undefined ? [] : [token]), ...sharedIn(pairsOf(received))];
    const known = values.map((value) => this.byValue.get(value)).find((login) => login !== undefined);
    const begins = BEGINNINGS.includes(endpoint) && (known === undefined || known.person !== undefined);
    const login = begins ? {} : known;
    if (!login) return undefined;
    login.application ??= notes.application;
    login.person ??= notes.person;
    for (const value of [...values, ...sharedIn(response ? issuedIn(response) : [])]) {
      const [oldest = ''] = this.byValue.keys();
      if (this.byValue.size >= CAPACITY) this.byValue.delete(oldest);
      this.byValue.set(value, login);
    }
    return login;
  }

  clear(): void {
    this.byValue.clear();
  }
}

type Pair = readonly [name: string, value: string];
type Pairs = readonly Pair[];

const pairsOf = ({ query, form, multipart, json }: NetworkRequest): Pairs =>
  [query, form, multipart, json].flatMap((parameters) => parameters.entries());

const sharedIn = (pairs: Pairs): readonly string[] =>
  SHARED.flatMap((shared) => pairs.flatMap(([name, value]) => (name === shared && value ? [value] : [])));

/** The parameters of a redirect, the tokens of JSON, or a form. */
function issuedIn({ headers = {}, type, body }: NetworkResponse): Pairs {
  const { Location = '' } = headers;
  const redirect = parseURL(Location);
  if (redirect) {
    const query = Parameters.parse(redirect.search.slice(1));
    const payload = query.get('payload');
    return payload === undefined ? query.entries() : Parameters.parseJSON(payload).entries();
  }
  const tokens = body.slice(0, SHOWN).matchAll(/"(\w+_token)":"([^"]+)"/g);
  if (type.startsWith('application/json'))
    return [...tokens].map(([, name = '', value = '']) => [name, value]);
  return body.startsWith('oauth_token=') ? Parameters.parse(body).entries() : [];
}

/** Characters of a body that are shown. */
const SHOWN = 4_000;

const SECRETS =
  /^(client_secret|service_token|code|code_verifier|device_id|ext_id|payload|denied|(\w+_)?token(_secret)?|oauth_verifier|oauth_signature|password|secret)$/i;

const maskedPair = (pair: string, start: string, name: string): string =>
  SECRETS.test(name) ? `${start}${name}=${MASK}` : pair;

const maskedForm = (text: string): string => text.replace(/(^|[?&])(\w+)=[^&]*/g, maskedPair);

/** Shows an exchange without its secrets, codes and tokens. */
export function shownExchange({ received, response }: Exchange, world: World) {
  const { method, url, query, form, multipart, authorization } = received;
  const all = pairsOf(received);
  const secrets = all.filter(([name, value]) => SECRETS.test(name) && value.length > 5);
  /** Also without what was sent as a secret and comes back, although it is none of this sandbox. */
  const clean = (text: string): string =>
    world.masked(secrets.reduce((masked, [, secret]) => masked.replaceAll(secret, MASK), text));
  const shown = ([name, value]: Pair): Pair => [name, SECRETS.test(name) ? MASK : clean(value)];
  const header = /^OAuth /i.test(authorization ?? '')
    ? clean(authorization?.replace(/(\b)(\w+)="?[^",]*"?/g, maskedPair) ?? '')
    : authorization?.replace(/^(\w+ )?.*$/, `$1${MASK}`);
  const headers = header === undefined ? [] : [`Authorization: ${header}`];
  const shownQuery = new URLSearchParams(query.entries().map((pair): [string, string] => [...shown(pair)]));
  const option = (name: string, pair: Pair): string => `${name} ${quoted(shown(pair).join('='))}`;
  const curl = [
    `curl -i -X ${method} ${quoted(`${url}${shownQuery.size > 0 ? '?' : ''}${shownQuery.toString()}`)}`,
    ...headers.map((line) => `-H ${quoted(line)}`),
    ...form.entries().map((pair) => option('--data-urlencode', pair)),
    ...multipart.entries().map((pair) => option('-F', pair)),
    ...jsonLines(received.json.entries().map(shown)),
  ].join(' \\\n  ');
  const sent = [...headers, ...all.map((pair) => shown(pair).join(': '))].join('\n');
  return { sent, curl, answered: response ? clean(answerText(response)) : undefined };
}

const jsonLines = (pairs: Pairs): readonly string[] =>
  pairs.length === 0 ? [] : [`--json ${quoted(JSON.stringify(Object.fromEntries(pairs)))}`];

/** For a shell, without what a terminal would act on when it is pasted. */
const quoted = (text: string): string =>
  `'${text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd').replaceAll("'", String.raw`'\''`)}'`;

function answerText({ status, type, body, headers = {} }: NetworkResponse): string {
  const lines = Object.entries(headers).filter(([name]) => name === 'Location' || name.startsWith('x-'));
  const tokens = /"((?:\w+_)?token(?:_secret)?|device_id)":"[^"]*"/g;
  const text = maskedForm(body.slice(0, SHOWN).replace(tokens, `"$1":"${MASK}"`));
  const content = body.startsWith('<!doctype') ? '(a page)' : `${text}${body.length > SHOWN ? '…' : ''}`;
  const shown = lines.map(([name, value]) => `${name}: ${maskedForm(value)}`);
  return [`${status} ${type}`, ...shown, '', content].join('\n').trimEnd();
}
