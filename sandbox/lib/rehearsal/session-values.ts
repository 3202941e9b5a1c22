import { createHash, createHmac } from 'node:crypto';

/** One way to read the value of a cookie: the text, and the value with another text in its place. */
interface Reading {
  /** The same for the same part of each value. */
  readonly place: string;
  readonly text: string;
  readonly write: (text: string) => string;
}

const ENCODINGS = ['base64url', 'base64', 'hex'] as const;
/** A string or another value of JSON, or a word of any other text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s{}[\]:,|;&=.~!"]+/g;
/** What precedes the ID of a user in JSON. */
const USER = /^"(?:user|account|member|profile)?_?(?:id)?"$|^"(?:uid|sub)"$/i;
const CONTROL = /[^\P{C}\n\r\t]|\uFFFD/u;
/** The header of a JSON Web Token that nobody signed: https://www.rfc-editor.org/rfc/rfc7519#section-6.1 */
const UNSIGNED = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
/** What READMEs and tutorials write where a secret belongs. */
const COMMON_SECRETS = [
  'secret,Secret,secret key,secret-key,secretkey,secret_key,session,key1,keyboard cat,keyboardcat,cats,shhhhh,shhhh',
  'password,changeme,change me,change-me,your secret,your-secret,your secret key,your-secret-key,my secret,my-secret',
  'mysecret,some secret,somesecret,supersecret,super secret,super-secret,session secret,session-secret,sessionsecret',
  'jwt secret,jwt-secret,jwtsecret,jwt_secret,dev,development,dev-secret,test,test-secret,example,default,key,app,123456',
  'a secret with minimum length of 32 characters,some secret hurr,secretkey,mysecretkey,thisisasecret,your-256-bit-secret',
].flatMap((line) => [line, line.toUpperCase()].flatMap((words) => words.split(',')));
/** As `s:ID.SIGNATURE`. */
const SIGNED = /^(?:s:)?(.*)\.[\w+/-]{20,}=*$/s;

/** A value as it is, and each part of it that is an encoded text. */
function readings(value: string): readonly Reading[] {
  const plain = unescaped(value);
  const close = (text: string) => (plain === value ? text : encodeURIComponent(text));
  const parts = plain.split(/([.:|!])/);
  const all: Reading[] = [{ place: 'all', text: plain, write: close }];
  for (const [index, part] of parts.entries())
    for (const encoding of ENCODINGS) {
      const text = Buffer.from(part, encoding).toString();
      const encode = (one: string) => Buffer.from(one).toString(encoding);
      if (text === '' || CONTROL.test(text) || encode(text).replace(/=+$/, '') !== part.replace(/=+$/, ''))
        continue;
      const write = (one: string) =>
        close(parts.map((own, at) => (at === index ? encode(one) : own)).join(''));
      all.push({ place: `${index} ${encoding}`, text, write });
    }
  return all;
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const bare = (token: string): string => token.replace(/^"|"$/g, '');

/**
 * The first person's value with the other person's ID and name in it, wherever it can be read. What differs from login to login stays as it
 * is, and so does what cannot be read, such as a signature.
 *
 * @param values - Of one cookie, after two logins of the first person and two of the other one.
 * @param isPublic - Whether others know a word.
 */
export function forgeries(values: readonly string[], isPublic: (word: string) => boolean): readonly string[] {
  const [own = '', ...others] = values;
  const read = others.map(readings);
  return readings(own).flatMap(({ place, text, write }) => {
    const texts = [text, ...read.map((all) => all.find((one) => one.place === place)?.text ?? '')];
    const [mine = [], again = [], theirs = [], later = []] = texts.map((one) => one.match(TOKEN) ?? []);
    if (![again, theirs, later].every(({ length }) => length === mine.length)) return [];
    const digests = new Set(theirs.flatMap((token) => digestsOf(bare(token))));
    const isForged = mine.map((token, at) => {
      const [before = '', other = ''] = [mine[at - 1], theirs[at]];
      const isIdentity = token === again[at] && other === later[at] && token !== other;
      const isKnown = /^\d{1,20}$/.test(bare(other)) || isPublic(bare(other)) || USER.test(before);
      return isIdentity && (isKnown || digests.has(bare(other)));
    });
    if (!isForged.includes(true)) return [];
    let count = 0;
    const forged = text.replace(TOKEN, (token) => {
      count += 1;
      return (isForged[count - 1] && theirs[count - 1]) || token;
    });
    const [head = '', body = '', ...rest] = write(forged).split('.');
    const isToken = rest.length === 1 && /"alg"/.test(Buffer.from(head, 'base64url').toString());
    return [write(forged), ...(isToken ? [`${UNSIGNED}.${body}.`] : [])];
  });
}

/** The secret, of examples or one of others, that signs a cookie of express-session or cookie-session, or a JSON Web Token. @param signature - The cookie beside it that has one. */
export function commonSecret(
  name: string,
  value: string,
  signature = '',
  secrets: readonly string[] = [],
): string | undefined {
  const [, text = '', own = ''] = /^(?:s:)?(.*)\.([^.]+)$/s.exec(unescaped(value)) ?? [];
  const isSigned = (given: string, secret: string, algorithm: string, signed: string) =>
    createHmac(algorithm, secret).update(signed).digest().equals(Buffer.from(given, 'base64'));
  return [...secrets, ...COMMON_SECRETS].find(
    (secret) =>
      isSigned(own, secret, 'sha256', text) || isSigned(signature, secret, 'sha1', `${name}=${value}`),
  );
}

/** The session's ID in the value of a cookie, without its signature; `undefined` if it is no ID but a text, such as a JSON Web Token. */
export function sessionID(value: string): string | undefined {
  const plain = unescaped(value);
  const id = SIGNED.exec(plain)?.[1] ?? plain;
  const isText = id.includes('.') || readings(id).some(({ text }) => /"\w+":/.test(text));
  return isText ? undefined : id;
}

/** In how many bits IDs differ: those of the places where they do. */
export function bitsOf(ids: readonly string[]): number {
  const length = Math.max(...ids.map((id) => id.length));
  const padded = ids.map((id) => id.padStart(length, '0'));
  const places = Array.from({ length }, (_, at) => new Set(padded.map((id) => id[at])));
  const varying = places.filter(({ size }) => size > 1).length;
  const all = ids.join('');
  const alphabet = [/^\d*$/, /^[\da-f]*$/, /^[\da-z]*$/].findIndex((letters) => letters.test(all));
  return varying * Math.log2([10, 16, 36][alphabet] ?? 64);
}

/** A text of which an ID is the digest. */
export function preimage(id: string, texts: Iterable<string>): string | undefined {
  for (const text of texts)
    if (digestsOf(text).some((digest) => digest === id || digest === id.toLowerCase())) return text;
  return undefined;
}

const digestsOf = (text: string): readonly string[] =>
  ['md5', 'sha1', 'sha256'].flatMap((algorithm) => {
    const digest = createHash(algorithm).update(text).digest();
    return [digest.toString('hex'), digest.toString('base64url')];
  });
