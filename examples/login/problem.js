// @ts-check

/** A request that this application rejects. Title and message are for the user. */
export class Problem extends Error {
  /** @param {number} status HTTP status @param {string} title @param {string} message @param {{ code?: string, network?: string }} [details] */
  constructor(status, title, message, { code, network } = {}) {
    super(message);
    this.status = status;
    this.title = title;
    this.code = code;
    this.network = network;
  }
}
