import { expect } from 'chai';
import { expiryDate } from '../../../../lib/index.js';
import { fakeClock } from '../../../support/clock.js';

describe('expiryDate', () => {
  const clock = fakeClock();

  for (const [expires_in, milliseconds] of [
    [1, 1_000],
    [3600, 3_600_000],
    [86_400, 86_400_000],
    ['43200', 43_200_000],
  ] as const) {
    it(`is ${milliseconds} milliseconds from now for expires_in ${JSON.stringify(expires_in)}`, () => {
      const now = clock.stop();
      expect(expiryDate({ expires_in })?.getTime()).to.equal(now + milliseconds);
    });
  }

  for (const params of [
    {},
    { expires_in: 0 },
    { expires_in: '0' },
    { expires_in: -3600 },
    { expires_in: null },
    { expires_in: '' },
    { expires_in: 'never' },
    { expires_in: Number.NaN },
    { expires_in: Number.POSITIVE_INFINITY },
    { expires_in: 1e15 },
    { expires_in: {} },
    { expires: 3600 },
    Object.create({ expires_in: 3600 }) as object,
  ]) {
    it(`is undefined for ${JSON.stringify(params)}`, () => {
      expect(expiryDate(params)).to.equal(undefined);
    });
  }
});
