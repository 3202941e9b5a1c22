import { mock } from 'node:test';
import { expect } from 'chai';
import { Deadlines } from '../../lib/core/deadlines.js';

describe('deadlines', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    // In this order: what is restored first is put over what is restored last.
    mock.restoreAll();
    mock.timers.reset();
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
  /** Begins waits that note their overdue in `late`. */
  function waiting() {
    const deadlines = new Deadlines(100);
    const late: string[] = [];
    return { deadlines, late, begin: (name: string) => deadlines.begin(() => late.push(name)) };
  }

  it('T1: a wait is overdue when its time is up, not before, and once', () => {
    const { late, begin } = waiting();
    begin('one');
    pass(99);
    expect(late).to.deep.equal([]);
    pass(1);
    pass(1_000);
    expect(late).to.deep.equal(['one']);
  });

  it('T1: waits that begin one after another are overdue one after another', () => {
    const { late, begin } = waiting();
    begin('one');
    pass(60);
    begin('two');
    begin('three');
    pass(40);
    expect(late).to.deep.equal(['one']);
    pass(59);
    expect(late).to.deep.equal(['one']);
    pass(1);
    expect(late).to.deep.equal(['one', 'two', 'three']);
  });

  it('a wait that ended is never overdue, wherever it stood', () => {
    for (const ended of ['one', 'two', 'three']) {
      const { deadlines, late, begin } = waiting();
      const waits = new Map(['one', 'two', 'three'].map((name) => [name, begin(name)]));
      const wait = waits.get(ended);
      if (wait) deadlines.end(wait);
      pass(100);
      expect(late).to.deep.equal([...waits.keys()].filter((name) => name !== ended));
    }
  });

  it('to end a wait twice, or after it was overdue, does nothing', () => {
    const { deadlines, late, begin } = waiting();
    const one = begin('one');
    deadlines.end(one);
    deadlines.end(one);
    begin('two');
    deadlines.end(one);
    pass(100);
    deadlines.end(one);
    expect(late).to.deep.equal(['two']);
    begin('three');
    pass(100);
    expect(late).to.deep.equal(['two', 'three']);
  });

  it('a wait that begins while another is overdue has its whole time', () => {
    const { deadlines, late, begin } = waiting();
    deadlines.begin(() => {
      late.push('one');
      begin('two');
    });
    pass(100);
    expect(late).to.deep.equal(['one']);
    pass(99);
    expect(late).to.deep.equal(['one']);
    pass(1);
    expect(late).to.deep.equal(['one', 'two']);
  });

  it('keeps no timer when nothing waits', () => {
    const { deadlines, begin } = waiting();
    const cleared = mock.method(globalThis, 'clearTimeout');
    const [one, two] = [begin('one'), begin('two')];
    deadlines.end(one);
    expect(cleared.mock.callCount()).to.equal(0);
    deadlines.end(two);
    expect(cleared.mock.callCount()).to.equal(1);
  });
});
