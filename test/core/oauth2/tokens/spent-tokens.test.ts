import { expect } from 'chai';
import type { LoginStep } from '../../../../lib/core/errors/index.js';
import type { ErrorResponses } from '../../../../lib/core/http/index.js';
import { NETWORKS } from '../../../networks.js';

describe('an error response', () => {
  for (const { name, errorResponses, refreshErrors } of NETWORKS) {
    for (const [error, description, spent] of refreshErrors) {
      const title = `${error} ${description}`.trim();

      it(`of ${name}, "${title}", ${spent ? 'means' : 'does not mean'} that the refresh token is used up`, () => {
        expect(tokenSpent(errorResponses, error, description, 'refresh')).to.equal(spent);
      });

      it(`of ${name}, "${title}", says nothing about refresh tokens in a login`, () => {
        expect(tokenSpent(errorResponses, error, description, 'token')).to.equal(false);
      });
    }
  }
});

function tokenSpent(
  errors: ErrorResponses,
  error: string,
  error_description: string,
  step: LoginStep,
): unknown {
  const body = { error, error_description };
  const response = { status: 400, headers: {}, text: JSON.stringify(body), wellFormed: true, body };
  return errors.read(response, step)?.tokenSpent;
}
