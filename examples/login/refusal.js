// @ts-check

/** A request that this application refuses, in words that the person may read; the last sentence says what to do. */
export class Refusal extends Error {
  /**
   * @param {number} status Of HTTP
   * @param {string} code For programs
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
