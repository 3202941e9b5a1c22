import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Deadlines } from '../../lib/core/deadlines.js';

/** Waits of a length that note their overdue in `late`. */
function waiting(length: number) {
  const deadlines = new Deadlines(length);
  const late: string[] = [];
  return { deadlines, late, begin: (name: string) => deadlines.begin(() => late.push(name)) };
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('deadlines', () => {
  describe('with a clock of their own', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    it('T1: a wait is overdue when its time is up, not before, and once', () => {
      const { late, begin } = waiting(100);
      begin('one');
      mock.timers.tick(99);
      expect(late).to.deep.equal([]);
      mock.timers.tick(1);
      mock.timers.tick(1_000);
      expect(late).to.deep.equal(['one']);
    });

    it('a wait that ended is never overdue, wherever it stood', () => {
      for (const ended of ['one', 'two', 'three']) {
        const { deadlines, late, begin } = waiting(100);
        const waits = new Map(['one', 'two', 'three'].map((name) => [name, begin(name)]));
        const wait = waits.get(ended);
        if (wait) deadlines.end(wait);
        // Once for each: they began moments apart, and this clock stands still in between.
        for (const _ of waits) mock.timers.tick(100);
        expect(late).to.deep.equal([...waits.keys()].filter((name) => name !== ended));
      }
    });

    it('T5: one that throws, as an application’s own agent may, keeps nobody else waiting', () => {
      const { deadlines, late, begin } = waiting(100);
      deadlines.begin(() => {
        throw new Error('the agent has a bug');
      });
      begin('two');
      expect(() => mock.timers.tick(100)).to.throw('the agent has a bug');
      begin('three');
      for (let count = 0; count < 3; count += 1) mock.timers.tick(100);
      expect(late).to.deep.equal(['two', 'three']);
    });

    it('to end a wait twice, or after it was overdue, does nothing', () => {
      const { deadlines, late, begin } = waiting(100);
      const one = begin('one');
      deadlines.end(one);
      deadlines.end(one);
      begin('two');
      deadlines.end(one);
      mock.timers.tick(200);
      deadlines.end(one);
      expect(late).to.deep.equal(['two']);
      begin('three');
      mock.timers.tick(200);
      expect(late).to.deep.equal(['two', 'three']);
    });
  });

  it('T1: waits that begin one after another are overdue one after another, also those that begin at an overdue', async () => {
    const { deadlines, late, begin } = waiting(20);
    const overdue = new Promise<void>((resolve) => {
      deadlines.begin(() => {
        late.push('one');
        deadlines.begin(() => {
          late.push('four');
          resolve();
        });
      });
    });
    await sleep(5);
    begin('two');
    begin('three');
    await overdue;
    expect(late).to.deep.equal(['one', 'two', 'three', 'four']);
  });

  it('keeps one timer while something waits, and none when nothing does', () => {
    const before = timers();
    const { deadlines, begin } = waiting(10_000);
    const [one, two] = [begin('one'), begin('two')];
    expect(timers() - before).to.equal(1);
    deadlines.end(one);
    expect(timers() - before).to.equal(1);
    deadlines.end(two);
    expect(timers() - before).to.equal(0);
  });
});
