import type { Count } from '../figures.js';

/** A property that does not hold, and under which fault it is counted. */
export class Violation extends Error {
  readonly fault: Count;

  constructor(fault: Count, message: string) {
    super(`${fault}: ${message}`);
    this.fault = fault;
  }
}
