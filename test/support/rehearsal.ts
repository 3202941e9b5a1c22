import { expect } from 'chai';
import { type RehearsalOptions, rehearse } from '../../sandbox/lib/index.js';

/** All checks but that of a silent network, for which an example waits ten seconds, and those that need a URL of their own. */
const CHECKS: readonly string[] = (
  'host|session|one account|two accounts|other people|session ID|second login|decline|Back, then Allow|network error|slow network|other form of the response|' +
  'two tabs|two tabs, the second first|reload after success|reload after failure|stray callback|forged callback|' +
  'planted callback|expired login|somebody else signed in|cookies|foreign Host|foreign X-Forwarded-Host|caching|' +
  'Referrer-Policy|sign-out|slow user|session at the end|return URLs|forms|error pages|secrets in responses|secrets in logs'
).split('|');

/** Rehearses an example that runs as its README says. @returns What was not tried. */
export async function rehearsed(url: string, options: RehearsalOptions = {}): Promise<string[]> {
  const { checks } = await rehearse(url, { only: CHECKS, patience: 8_000, ...options });
  expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
  expect(checks).to.have.length(CHECKS.length + 2);
  return checks.filter(({ passed }) => passed === undefined).map(({ name }) => name);
}
