import type { Browser } from 'playwright-core';
import { Visitor } from './visitor.js';

/** A browser and the URL of the app, available when the tests run. */
export interface Scene {
  readonly browser: Browser;
  readonly url: string;
}

/** Creates visitors, each with a separate browser context, and closes them after the test. */
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
