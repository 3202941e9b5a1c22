import type { Browser } from 'playwright-core';
import { Visitor } from './visitor.js';

/** A browser and the address of the app, known when the tests run. */
export interface Scene {
  readonly browser: Browser;
  readonly url: string;
}

/** Lets visitors arrive, each with a browser of their own, and leave after the test. */
export function arrivals(scene: () => Scene): () => Promise<Visitor> {
  const visitors: Visitor[] = [];
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
  });
  return async () => {
    const visitor = await Visitor.arrive(scene().browser, scene().url);
    visitors.push(visitor);
    return visitor;
  };
}
