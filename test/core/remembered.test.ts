import { expect } from 'chai';
import { remembered } from '../../lib/core/remembered.js';

describe('remembered', () => {
  it('asks once for each text', () => {
    const asked: string[] = [];
    const read = remembered((text) => ({ text, nth: asked.push(text) }));
    expect([read('a'), read('b'), read('a')].map(({ nth }) => nth)).to.deep.equal([1, 2, 1]);
    expect(asked).to.deep.equal(['a', 'b']);
  });

  it('remembers nothing of a text that cannot be read', () => {
    let attempts = 0;
    const read = remembered((text) => {
      attempts += 1;
      return new URL(text);
    });
    for (let count = 0; count < 2; count += 1) expect(() => read('no address')).to.throw(TypeError);
    expect(attempts).to.equal(2);
  });

  it('forgets, so that ever new texts do not fill the memory', () => {
    let made = 0;
    const read = remembered((text) => ({ text, nth: ++made }));
    read('the first');
    for (let count = 0; count < 100; count += 1) read(`text ${count}`);
    expect(read('the first').nth).to.equal(102);
  });
});
