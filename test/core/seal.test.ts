import { expect } from 'chai';
import { sealOf } from '../../lib/core/seal.js';

const FIRST = 'the-first-secret-of-forty-characters-----';
const SECOND = 'the-second-secret-of-forty-characters----';

describe('seal', () => {
  it('opens what it closed, at the same place only', async () => {
    const seal = sealOf([FIRST]);
    const sealed = await seal.close('the text, ünd möre', 'here');
    expect(sealed).to.match(/^[\w-]+$/);
    expect(await seal.open(sealed, 'here')).to.equal('the text, ünd möre');
    expect(await seal.open(sealed, 'there')).to.equal(undefined);
  });

  it('C18: shows nothing of the text, and closes it differently each time', async () => {
    const seal = sealOf([FIRST]);
    const sealed = [
      await seal.close('the-code-verifier', 'here'),
      await seal.close('the-code-verifier', 'here'),
    ];
    expect(sealed[0]).to.not.equal(sealed[1]);
    for (const text of sealed) {
      expect(Buffer.from(text, 'base64url').toString('latin1')).to.not.include('verifier');
    }
  });

  it('C18: any letter altered, left out or added, it does not open', async () => {
    const seal = sealOf([FIRST]);
    const sealed = await seal.close('text', 'here');
    for (let index = 0; index < sealed.length; index += 1) {
      for (const letter of ['A', 'B', '_', '']) {
        if (letter === sealed[index]) continue;
        const altered = sealed.slice(0, index) + letter + sealed.slice(index + 1);
        expect(await seal.open(altered, 'here'), `${index} ${letter}`).to.equal(undefined);
      }
    }
    for (const altered of [
      '',
      'x',
      `${sealed}A`,
      `${sealed}=`,
      ` ${sealed}`,
      sealed.slice(0, 38),
      'ü'.repeat(60),
    ]) {
      expect(await seal.open(altered, 'here'), altered).to.equal(undefined);
    }
  });

  it('C18: the first secret closes, all of them open', async () => {
    const old = await sealOf([FIRST]).close('text', 'here');
    const rotated = sealOf([SECOND, FIRST]);
    expect(await rotated.open(old, 'here')).to.equal('text');
    const fresh = await rotated.close('text', 'here');
    expect(await sealOf([SECOND]).open(fresh, 'here')).to.equal('text');
    expect(await sealOf([FIRST]).open(fresh, 'here')).to.equal(undefined);
  });
});
