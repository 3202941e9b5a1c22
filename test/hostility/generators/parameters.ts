import fc from 'fast-check';
import { CANARIES } from '../world/canaries.js';
import { anyString, words } from './strings.js';

/** Parameter values. Names that begin with `$` are replaced with values of pending logins. */
const special = fc.constantFrom(
  ...words('$state $state $state $code $code $strangerState $otherState $usedState $stateX $shorter $upper'),
  ...words('$state,$state $payload $payloadTwice $strangerPayload $verifier'),
  '$state ',
  ' $state',
  '$state\0',
);

const plain = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    'undefined',
    '0',
    '[]',
    '{}',
    '[object Object]',
    'access_denied',
    'server_error',
    'javascript:alert(1)',
    'https://evil.example',
    '{"code":1,"state":null}',
    '{"__proto__":{"state":"x"}}',
    '"{\\"code\\":\\"x\\"}"',
    `${'['.repeat(10_000)}`,
    'x'.repeat(8_193),
    CANARIES.code,
  ),
  anyString(20),
  fc.string({ maxLength: 30 }),
);

const KNOWN = words(`
  code state error error_description error_uri iss scopes errCode error_type error_reason device_id
  payload type expires_in ext_id oauth_token oauth_verifier denied
`);

const name = fc
  .tuple(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom('state', 'code', 'oauth_token', 'oauth_verifier', 'payload', 'device_id'),
      },
      { weight: 4, arbitrary: fc.constantFrom(...KNOWN) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '__proto__',
          'constructor',
          'toString',
          'State',
          'state ',
          'st%61te',
          'sta\0te',
          '',
          'utm_source',
          'length',
        ),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
    ),
    fc.oneof(
      { weight: 12, arbitrary: fc.constant('') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...words('[] [0] [a] [a][b] [__proto__] [ ] %5B%5D [length] .x')),
      },
    ),
  )
  .map(([base, suffix]) => base + suffix);

/** A parameter of a callback request. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  /** Whether it is added to the URL without percent-encoding. */
  readonly raw: boolean;
}

export const parameter: fc.Arbitrary<Parameter> = fc.record({
  name,
  value: fc.oneof({ weight: 3, arbitrary: special }, { weight: 2, arbitrary: plain }),
  raw: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
