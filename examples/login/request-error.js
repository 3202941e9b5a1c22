// @ts-check

/** A request that this application rejects. The message is for the user, and its last sentence says what to do. */
export class RequestError extends Error {
  /**
   * @param {number} status HTTP status
   * @param {string} code Machine-readable code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
