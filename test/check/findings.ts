import { expect } from 'chai';
import type { CheckReport, Finding } from '../../lib/check/index.js';

/** The only finding on a subject. */
export function findingOn({ findings }: Pick<CheckReport, 'findings'>, subject: string): Finding {
  const found = findings.filter((finding) => finding.subject === subject);
  expect(found, `findings on ${subject}: ${JSON.stringify(findings)}`).to.have.length(1);
  return found[0] as Finding;
}

/** Subject -> verdict. */
export function verdictsOf({ findings }: CheckReport): Record<string, string> {
  return Object.fromEntries(findings.map(({ subject, verdict }) => [subject, verdict]));
}
