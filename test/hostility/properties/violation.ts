import type { Count } from '../figures.js';

/** A violated property and the fault that it counts as. */
export class Violation extends Error {
  readonly fault: Count;

  constructor(fault: Count, message: string) {
    super(`${fault}: ${message}`);
    this.fault = fault;
  }
}
