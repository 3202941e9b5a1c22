import { cleanText } from '../../lib/core/errors/index.js';
import type { Step } from '../../test/exchanges/exchange.js';

/** Headers of a response that say something about the network; the others are left out. */
const HEADERS =
  /^(content-type|retry-after|location|www-authenticate|x-access-level|x-rate-limit-.*|x-tt-logid)$/;
const SCOPE = /^[a-z][a-z._]*([ ,][a-z][a-z._]*)*$/;
const CODE = /^([a-z]{2,20}(_[a-z]{2,20}){0,5}|\d{1,5})$/;
const CODES = /^(code|error|error_code|error_reason|error_subcode|error_type|type|status)$/;
const MESSAGES = /^(error|error_description|error_msg|error_text|message|detail|title|reason)$/;
/** What a strategy sends of its own. */
const OWN_PARAMETERS =
  /^(grant_type|fields|user\.fields|tweet\.fields|expansions|v|lang|skip_status|include_\w+)$/;
const CONFIDENTIAL = /token(?!_type)|secret|verifier|^(code|state|device_id|client_id|client_key)$/i;
/** Parts of the URLs of pictures that strategies tell apart. */
const URL_WORDS =
  /^(images?|profile|avatar|default|normal|bigger|mini|original|camera|deactivated|size|jpe?g|png|gif|webp|svg|\d{2,4}x\d{2,4})$/i;
/** 2013-12-14T04:35:55.000Z and Thu Apr 06 15:24:15 +0000 2017: software reads them, so they stay dates. */
const ISO_DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const HTTP_DATE = /^\w{3} \w{3} \d\d [\d:]+ \+0000 \d{4}$/;

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
    const left = this.secrets.filter(
      (secret) => secret.length >= 8 && !this.known.includes(secret) && text.includes(secret),
    );
    if (left.length > 0) throw new Error(`${left.length} secrets were not replaced. Nothing is written.`);
  }

  /** A parameter of a request. */
  parameter({ shared }: Step, name: string, value: string): string {
    if (OWN_PARAMETERS.test(name) && /^[\w.,]+$/.test(value)) return value;
    return this.fix(name, value, shared.body?.[name]);
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name));
    return Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        name === 'content-type' && /^[\w.+/-]+(; ?charset=[\w-]+)?$/.test(value) ? value : shapeOf(value),
      ]),
    );
  }

  /** The body of a response: JSON, a form or text. */
  response(step: Step, body: unknown, isError: boolean): unknown {
    const usual = step.exchanges.success?.response;
    const isForm = typeof body === 'string' && /^[\w.%~+-]+=\S*$/.test(body);
    if (!isForm) return this.value('', body, typeof usual === 'object' ? usual : undefined, isError);
    const documented = new URLSearchParams(typeof usual === 'string' ? usual : '');
    const form = [...new URLSearchParams(body)].map(
      ([name, value]) =>
        [name, String(this.value(name, value, documented.get(name), isError))] as [string, string],
    );
    return new URLSearchParams(form).toString();
  }

  private value(name: string, value: unknown, usual: unknown, isError: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(name, item, undefined, isError));
    if (typeof value === 'object' && value !== null) {
      const documented = (typeof usual === 'object' && usual !== null ? usual : {}) as Record<
        string,
        unknown
      >;
      // TikTok's success has an `error`, too.
      const within = (key: string) =>
        isError || (key === 'error' && (value as { error?: unknown }).error !== null);
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          /^[A-Za-z][\w.-]{0,39}$/.test(key) && !/\d{5}/.test(key) ? key : shapeOf(key),
          this.value(key, item, documented[key], within(key)),
        ]),
      );
    }
    if (typeof value === 'number') {
      const isKept = this.isPublic(name, value) || (isError && CODES.test(name));
      return isKept ? value : Number(shapeOf(String(value)));
    }
    if (typeof value !== 'string' || value === '' || this.isPublic(name, value)) return value;
    if (isError && CODES.test(name) && CODE.test(value)) return value;
    if (isError && (MESSAGES.test(name) || name === '')) return this.sentence(value);
    if ((name === 'scope' && SCOPE.test(value)) || /^(true|false|bearer)$/i.test(value)) return value;
    return this.fix(name, value, usual);
  }

  /** The fixed value for a token, and a shape for everything else. */
  private fix(name: string, value: string, usual: unknown): string {
    const known = this.fixed.get(value);
    if (known !== undefined) return known;
    const isFixed = CONFIDENTIAL.test(name) || name === 'redirect_uri';
    const replacement = isFixed && typeof usual === 'string' ? usual : this.shape(value);
    if (CONFIDENTIAL.test(name)) {
      this.secrets.push(value);
      this.fixed.set(value, replacement);
    }
    return replacement;
  }

  private shape(value: string): string {
    if (ISO_DATE.test(value)) return value.replace(/\d/g, '1');
    if (HTTP_DATE.test(value)) return 'Wed Nov 11 11:11:11 +0000 2026';
    return /^https?:\/\/\S+$/.test(value) && URL.canParse(value) ? this.url(value) : shapeOf(value);
  }

  /** Hosts that the exchanges have stay, and the words of pictures. */
  private url(value: string): string {
    const { protocol, hostname, pathname, search } = new URL(value);
    const domain = hostname.split('.').slice(-2).join('.');
    const isKnown = this.known.includes(`/${hostname}`) || this.known.includes(`.${domain}/`);
    const own = hostname.slice(0, -domain.length);
    const host = isKnown
      ? `${this.known.includes(hostname) ? own : shapeOf(own)}${domain}`
      : 'www.example.com';
    const parts = (text: string) =>
      text.replace(/[\p{L}\p{N}]+/gu, (word) => (URL_WORDS.test(word) ? word : shapeOf(word)));
    const query = search.replace(/=[^&]*/g, (text) => shapeOf(decodeURIComponent(text)));
    return `${protocol}//${host}${parts(decodeURIComponent(pathname))}${query}`;
  }

  /** A message keeps the words that the exchanges have. */
  private sentence(text: string): string {
    const clean = cleanText(text, this.secrets) ?? '';
    return clean.replace(/(?<!\[)[\p{L}\p{N}_]+/gu, (word) =>
      this.words.has(word) || /^[a-z]+(_[a-z]+)+$/.test(word) ? word : shapeOf(word),
    );
  }

  private isPublic(name: string, value: string | number): boolean {
    return (
      !CONFIDENTIAL.test(name) && this.known.includes(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
    );
  }
}

function shapeOf(text: string): string {
  return text
    .replace(/\p{L}/gu, (letter) => (letter === letter.toLowerCase() ? 'x' : 'X'))
    .replace(/\p{N}/gu, '1')
    .replace(/\p{C}/gu, '?');
}
