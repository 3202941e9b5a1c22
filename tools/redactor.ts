import { cleanText } from '../lib/core/errors/index.js';
import type { Step } from '../test/exchanges/exchange.js';

/** Headers of a response that say something about the network; the others are left out. */
const HEADERS =
  /^(content-type|retry-after|location|www-authenticate|x-access-level|x-rate-limit-.*|x-tt-logid)$/;
const MEDIA_TYPE = /^(application|text)\/[a-z.+-]+(; ?charset=[\w-]+)?$/;
const SCOPE = /^[a-z][a-z._]*([ ,][a-z][a-z._]*)*$/;
const CODE = /^([a-z]{2,20}(_[a-z]{2,20}){0,5}|\d{1,5})$/;
const CODES = /^(code|error|error_code|error_reason|error_subcode|error_type|type|status)$/;
const MESSAGES = /^(|error|error_description|error_msg|error_text|message|detail|title|reason)$/;
/** What a strategy sends of its own. */
const OWN_PARAMETERS =
  /^(grant_type|fields|user\.fields|tweet\.fields|expansions|v|lang|skip_status|include_\w+)$/;
const CONFIDENTIAL = /token(?!_type)|secret|verifier|^(code|state|device_id|client_id|client_key)$/i;

/**
 * Replaces what is confidential or personal by its shape: each digit by 1, each letter by x or X. What the tests' exchanges have already, under
 * the same name, is public, and so are the words of their messages. Tokens become the fixed values of the exchanges.
 */
export class Redactor {
  /** Confidential value -> the fixed value of the exchanges. */
  private readonly fixed = new Map<string, string>();
  private readonly known: string;
  private readonly words: ReadonlySet<string>;

  /** @param secrets - Credentials, and what came with the callback. */
  constructor(
    steps: readonly Step[],
    private readonly secrets: string[],
    serviceToken?: string,
  ) {
    if (serviceToken !== undefined) this.fixed.set(serviceToken, 'SERVICE-TOKEN');
    this.known = JSON.stringify(steps);
    this.words = new Set(this.known.match(/\p{L}+/gu));
  }

  /** @throws Error if a secret is in the text. */
  refuse(text: string): void {
    const { length } = this.secrets.filter(
      (secret) => secret.length >= 8 && !this.known.includes(secret) && text.includes(secret),
    );
    if (length > 0) throw new Error(`${length} secrets were not replaced. Nothing is written.`);
  }

  /** The parameters of a request. */
  parameters({ shared }: Step, sent: URLSearchParams): [name: string, value: string][] {
    return [...sent].map(([name, value]) => {
      const isOwn = OWN_PARAMETERS.test(name) && /^[\w.,]+$/.test(value);
      return [name, isOwn ? value : this.text(name, value, shared.body?.[name])];
    });
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name));
    return Object.fromEntries(
      kept.map(([name, value]) => [name, MEDIA_TYPE.test(value) ? value : shapeOf(value)]),
    );
  }

  /** The body of a response: JSON, a form or text. */
  body(step: Step, body: unknown, isError: boolean): unknown {
    const usual = step.exchanges.success?.response;
    if (typeof body !== 'string' || !/^[\w.%~+-]+=\S*$/.test(body))
      return this.value('', body, usual, isError);
    const [members, documented] = [body, usual].map((text) =>
      Object.fromEntries(new URLSearchParams(typeof text === 'string' ? text : '')),
    );
    return new URLSearchParams(
      this.value('', members, documented, isError) as Record<string, string>,
    ).toString();
  }

  /** @param usual - What the documentation has in its place. */
  private value(name: string, value: unknown, usual: unknown, isError: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(name, item, undefined, isError));
    if (typeof value === 'object' && value !== null) {
      const documented = Object(usual) as Readonly<Record<string, unknown>>;
      const members = Object.entries(value).map(([key, item]: [string, unknown]) => {
        const isName = /^[A-Za-z][\w.-]{0,39}$/.test(key) && !/\d{5}/.test(key);
        // TikTok's success has an `error`, too.
        const isOfError = isError || (key === 'error' && item !== null);
        return [isName ? key : shapeOf(key), this.value(key, item, documented[key], isOfError)];
      });
      return Object.fromEntries(members) as object;
    }
    if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return value;
    const isPublic =
      !CONFIDENTIAL.test(name) && this.known.includes(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    if (isPublic || (isError && CODES.test(name) && CODE.test(String(value)))) return value;
    if (typeof value === 'number') return Number(shapeOf(String(value)));
    if (isError && MESSAGES.test(name)) return this.sentence(value);
    if ((name === 'scope' && SCOPE.test(value)) || /^(true|false|bearer)$/i.test(value)) return value;
    return this.text(name, value, usual);
  }

  /** The fixed value for a token, and a shape for everything else. */
  private text(name: string, value: string, usual: unknown): string {
    const known = this.fixed.get(value);
    if (known !== undefined) return known;
    const isConfidential = CONFIDENTIAL.test(name);
    const isFixed = isConfidential || name === 'redirect_uri';
    const replacement = isFixed && typeof usual === 'string' ? usual : this.shape(value);
    if (isConfidential) {
      this.secrets.push(value);
      this.fixed.set(value, replacement);
    }
    return replacement;
  }

  /** Of URLs, the hosts and words that the exchanges have stay. */
  private shape(value: string): string {
    if (!/^https?:\/\/\S+$/.test(value) || !URL.canParse(value)) return shapeOf(value);
    const { protocol, host, pathname, search } = new URL(value);
    const kept = this.known.includes(`/${host}`) ? host : 'www.example.com';
    const words = decodeURIComponent(pathname).split(/([^\p{L}\p{N}]+)/u);
    const path = words.map((word) => (this.words.has(word) ? word : shapeOf(word))).join('');
    const query = search.replace(/=[^&]*/g, (text) => shapeOf(decodeURIComponent(text)));
    return `${protocol}//${kept}${path}${query}`;
  }

  /** A message keeps the words that the exchanges have. */
  private sentence(text: string): string {
    const clean = cleanText(text, this.secrets) ?? '';
    return clean.replace(/(?<!\[)[\p{L}\p{N}_]+/gu, (word) =>
      this.words.has(word) || /^[a-z]+(_[a-z]+)+$/.test(word) ? word : shapeOf(word),
    );
  }
}

function shapeOf(text: string): string {
  return text
    .replace(/\p{L}/gu, (letter) => (letter === letter.toLowerCase() ? 'x' : 'X'))
    .replace(/\p{N}/gu, '1')
    .replace(/\p{C}/gu, '?');
}
