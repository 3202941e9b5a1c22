import {
  allSteps,
  completeExchange,
  type Entry,
  type Exchange,
  type ExpectedError,
  type ExpectedSuccess,
  JSON_TYPE,
  type Step,
  usualError,
} from './exchange.js';

/** What is wrong with a response, as an error says it. */
type Fault = Pick<ExpectedError, 'class' | 'code' | 'hint'>;

type BrokenResponse = Pick<Exchange, 'source' | 'status' | 'response' | 'rawHeaders'> & {
  /** The error at a step that expects JSON. */
  readonly fault: Fault;
};

const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

const OVERLOAD_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Over capacity</title></head><body><h1>Too many visitors, please wait a moment and try again</h1></body></html>\n';

function gatewayPage(title: string): string {
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}

function unreadable(hint: string): Fault {
  return { class: 'MalformedError', code: 'unreadable_response', hint };
}

function json(source: string, response: Exchange['response'], fault: Fault, status = 200): BrokenResponse {
  return { source: `constructed: ${source}`, status, response, rawHeaders: JSON_TYPE, fault };
}

function page(source: string, status: number, response: string): BrokenResponse {
  return {
    source,
    status,
    response,
    rawHeaders: HTML_TYPE,
    fault: unreadable(`HTTP ${status} returned a page`),
  };
}

/** Responses that any server can send, or a gateway or captive page in its place, by case. */
const BROKEN_RESPONSES: Readonly<Record<string, BrokenResponse>> = {
  null: json('JSON null', 'null', unreadable('returned JSON null')),
  array: json('a JSON array', [], unreadable('returned a JSON array')),
  number: json('a JSON number', 4608, unreadable('returned a JSON number')),
  // nock parses it once.
  string: json('a JSON string', '"\\"x\\""', unreadable('returned a JSON string')),
  'empty-object': json('an object without members', {}, unreadable('returned a JSON object')),
  'empty-body': json('a response without a body', '', unreadable('returned an empty body')),
  'cut-short': json('JSON that ends in the middle', '{"access_token":"', unreadable('returned text')),
  'bare-json-500': json(
    'JSON without a code, not a success',
    {},
    { class: 'RefusedError', code: 'refused', hint: 'HTTP 500' },
    500,
  ),
  'html-200': page(
    'observed: a page where a form was expected, jaredhanson/passport-twitter#41; the page is constructed',
    200,
    OVERLOAD_PAGE,
  ),
  'html-502': page('constructed: a gateway page', 502, gatewayPage('502 Bad Gateway')),
  'html-503': page(
    'observed: the over-capacity page, jaredhanson/passport-twitter#41; 503 is documented as retryable, https://docs.x.com/x-api/fundamentals/response-codes-and-errors; the page is constructed',
    503,
    OVERLOAD_PAGE,
  ),
  'html-504': page(
    'documented: 504 is documented as retryable, https://docs.x.com/x-api/fundamentals/response-codes-and-errors; the page is constructed',
    504,
    gatewayPage('504 Gateway Time-out'),
  ),
  redirect: {
    source: 'constructed: a redirect, which must not be followed',
    status: 302,
    response: '',
    rawHeaders: { location: 'https://elsewhere.example/oauth' },
    fault: {
      class: 'UnreachableError',
      code: 'redirected',
      hint: ['redirects to elsewhere.example', 'a missing slash'],
    },
  },
};

/** Each broken response at each step of each network. @param exchanges - Those of the files. */
export function brokenExchanges(exchanges: readonly Exchange[]): Exchange[] {
  return allSteps().flatMap((step) =>
    Object.entries(BROKEN_RESPONSES).map(([name, { fault, ...response }]) => {
      const expected = loginWithoutStep(step, exchanges) ??
        confirmation(step, name) ?? { outcome: 'error', ...faultAt(step.step, name, fault) };
      return completeExchange(step, name, { ...response, expected } as Entry);
    }),
  );
}

/** VK ID's lookup only adds to a profile: without it, the login succeeds with the profile that came before. */
function loginWithoutStep(
  { folder, step, shared }: Step,
  exchanges: readonly Exchange[],
): ExpectedSuccess | undefined {
  if (step !== 'lookup') return undefined;
  const before = exchanges.find(({ name }) => name === `${folder}/${shared.after}`)?.expected;
  const isComplete = before?.outcome === 'success' && before.fallback === undefined;
  return isComplete ? { ...before, fallback: 'profile' } : undefined;
}

/** A network that confirms a revocation with an empty body may send an empty object as well. */
function confirmation({ exchanges }: Step, name: string): ExpectedSuccess | undefined {
  const isConfirmed = 'success-empty-body' in exchanges && ['empty-body', 'empty-object'].includes(name);
  return isConfirmed ? { outcome: 'success' } : undefined;
}

function faultAt(step: string, name: string, fault: Fault): Fault {
  const found = stepFault(step, name) ?? fault;
  // A refresh that fails without an error response may have spent the token.
  return step === 'refresh' && found.class !== 'RefusedError'
    ? { ...found, hint: [found.hint ?? [], 'keep it'].flat() }
    : found;
}

const READABLE = ['null', 'array', 'number', 'string', 'empty-object', 'cut-short', 'html-200'];

/** The error of a response that the step can read, and in which something is missing. */
function stepFault(step: string, name: string): Fault | undefined {
  // OAuth 1.0a sends tokens in a form, and any text is a form.
  if (step === 'request-token' || step === 'access-token') {
    return READABLE.includes(name) ? missing('token_missing', 'lacks oauth_token') : undefined;
  }
  if (name !== 'empty-object') return undefined;
  if (step === 'token' || step === 'refresh') return missing('token_missing', 'has no access token');
  return usualError(step).step === 'profile'
    ? missing('identifier_missing', 'the response has no ')
    : undefined;
}

function missing(code: string, hint: string): Fault {
  return { class: 'MalformedError', code, hint };
}
