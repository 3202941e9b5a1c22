import { cleanText } from '../lib/core/errors/index.js';
import type { Step } from '../test/exchanges/exchange.js';

const CONFIDENTIAL =
  /token(?!_type)|secret|verifier|^(code|state|device_id|client_id|client_key|redirect_uri)$/i;
/** What stays: where it is, its name and its value. */
const PUBLIC = [
  // What a strategy sends of its own.
  /^request (grant_type|fields|user\.fields|tweet\.fields|expansions|v|lang|skip_status|include_\w+)=[\w.,]+$/,
  /^header content-type=(application|text)\/[a-z.+-]+(; ?charset=[\w-]+)?$/,
  /^\w+ scope=[a-z][a-z._]*([ ,][a-z][a-z._]*)*$/,
  /^\w+ \w+=(true|false|bearer)$/i,
  /^error (code|error|error_code|error_reason|error_subcode|error_type|type|status)=([a-z]{2,20}(_[a-z]{2,20}){0,5}|\d{1,5})$/,
];
const MESSAGES = /^(|error|error_description|error_msg|error_text|message|detail|title|reason)$/;

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
    serviceToken = '',
  ) {
    this.fixed.set(serviceToken, 'SERVICE-TOKEN');
    this.known = JSON.stringify(steps);
    this.words = new Set(this.known.match(/\p{L}+/gu));
  }

  isRevealing(text: string): boolean {
    const unknown = this.secrets.filter((secret) => secret.length >= 8 && !this.known.includes(secret));
    return unknown.some((secret) => text.includes(secret));
  }

  /**
   * A value of JSON, and everything in it. A string without a name can be a form.
   *
   * @param usual - What the exchanges have in its place.
   */
  value(
    place: 'request' | 'header' | 'response' | 'error',
    value: unknown,
    usual: unknown,
    name = '',
  ): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(place, item, usual, name));
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([key, item]: [string, unknown]) => {
        const shown = /^[A-Za-z][\w.-]{0,39}$/.test(key) && !/\d{5}/.test(key) ? key : shapeOf(key);
        // TikTok's success has an `error`, too.
        return [shown, this.value(key === 'error' ? 'error' : place, item, usual, shown)];
      });
      return Object.fromEntries(members) as object;
    }
    if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return value;
    if (name === '' && /^[\w.%~+-]+=\S*$/.test(String(value))) {
      const form = Object.fromEntries(new URLSearchParams(String(value)));
      return String(new URLSearchParams(this.value(place, form, usual) as Record<string, string>));
    }
    const pair = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const isKnown = !CONFIDENTIAL.test(name) && this.known.includes(pair);
    if (isKnown || PUBLIC.some((shape) => shape.test(`${place} ${name}=${value}`))) return value;
    if (typeof value === 'number') return Number(shapeOf(String(value)));
    if (place === 'error' && MESSAGES.test(name)) return this.sentence(value);
    if (!CONFIDENTIAL.test(name)) return this.fixed.get(value) ?? this.shape(value);
    const pattern = new RegExp(`\\b${name}(?:":"|=)([^"&]+)`);
    const [, found = this.shape(value)] = pattern.exec(JSON.stringify(usual) ?? '') ?? [];
    const replacement = this.fixed.get(value) ?? found;
    this.secrets.push(value);
    this.fixed.set(value, replacement);
    return replacement;
  }

  /** Of URLs, the hosts and words that the exchanges have stay. */
  private shape(value: string): string {
    if (!/^https?:\/\/\S+$/.test(value) || !URL.canParse(value)) return shapeOf(value);
    const { protocol, host, pathname, search } = new URL(value);
    const kept = this.known.includes(`/${host}`) ? host : 'www.example.com';
    const path = decodeURIComponent(pathname).replace(/[\p{L}\p{N}]+/gu, (word) => this.word(word));
    const query = search.replace(/=[^&]*/g, (text) => shapeOf(decodeURIComponent(text)));
    return `${protocol}//${kept}${path}${query}`;
  }

  /** A message keeps the words that the exchanges have, and codes. */
  private sentence(text: string): string {
    const clean = cleanText(text, this.secrets) ?? '';
    return clean.replace(/(?<!\[)[\p{L}\p{N}_]+/gu, (word) =>
      /^[a-z]+(_[a-z]+)+$/.test(word) ? word : this.word(word),
    );
  }

  private word(word: string): string {
    return this.words.has(word) ? word : shapeOf(word);
  }
}

function shapeOf(text: string): string {
  return text
    .replace(/\p{L}/gu, (letter) => (letter === letter.toLowerCase() ? 'x' : 'X'))
    .replace(/\p{N}/gu, '1')
    .replace(/\p{C}/gu, '?');
}
