import fc from 'fast-check';
import type { HonestBody } from '../world/honest-responses.js';
import { DEEP, echoed, mutations } from './json.js';
import { mutated } from './mutation.js';
import { anyString } from './strings.js';

/** Shapes of error responses. `%` is replaced with a string. */
const ERROR_SHAPES = [
  '{"error":"invalid_grant","error_description":"%"}',
  '{"error":"%","log_id":"%"}',
  '{"error":"invalid_request","error_description":"%","access_token":"%"}',
  '{"error":{"code":"%","message":"%","log_id":"%"},"data":{}}',
  '{"error":{"code":"scope_not_authorized","message":"%","log_id":"1"},"data":{}}',
  '{"error":{"error_code":5,"error_msg":"%","request_params":[{"key":"access_token","value":"%"}]}}',
  '{"error":{"error_code":18,"error_msg":"%"}}',
  '{"errors":[{"code":89,"message":"%"}]}',
  '{"errors":[{"title":"%","detail":"%","type":"https://x.example/%"}]}',
  '{"title":"%","detail":"%","type":"about:blank","status":403}',
  '{"error":"%"}',
  '{"error":true,"error_msg":"%"}',
  '<?xml version="1.0"?><errors><error code="32">%</error></errors>',
  '<hash><error>%</error><request>/x</request></hash>',
  '<html><body><h1>%</h1></body></html>',
  '%',
  'error=%&oauth_token=%',
] as const;

const errors: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...ERROR_SHAPES),
    fc.oneof({ weight: 4, arbitrary: echoed }, fc.string({ maxLength: 30 })),
  )
  .map(([shape, text]) => {
    const isJSON = shape.startsWith('{');
    const inside =
      isJSON && !text.includes('«') ? JSON.stringify(text).slice(1, -1) : text.replaceAll('","', ',');
    return shape.replaceAll('%', () => inside);
  });

/** Bodies that are not a user's record. */
const oddities: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: errors },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: anyString(60) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      'null',
      '[]',
      '{}',
      '"x"',
      '0',
      'true',
      'undefined',
      '{"__proto__":{"access_token":"x","token_type":"bearer"}}',
      '{"constructor":{"prototype":{"x":1}}}',
      DEEP,
      '{"a":'.repeat(10_000),
      `${'{"error":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      '{"access_token":"x","token_type":"bearer"',
      '\ufeff{"access_token":"x"}',
      '{"access_token":"\\ud800","token_type":"bearer","user_id":1,"open_id":"\\ud800"}',
      '<!doctype html><title>Log in to the hotel</title>',
      'oauth_token=&oauth_token_secret=',
      'oauth_token=a&oauth_token=b&oauth_token_secret=c&oauth_callback_confirmed=true',
      '&&&&====',
      '%zz%',
      `{"error":"${'x'.repeat(50_000)}"}`,
      `{"error_description":"${'\\u200b'.repeat(3_000)}","error":"e"}`,
    ),
  },
);

/** Bodies for a step. About half are the user's record with a few changes. */
export function bodiesOf(honest: HonestBody): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: mutations.map((changes) => mutated(honest, changes)) },
    { weight: 4, arbitrary: oddities },
  );
}
