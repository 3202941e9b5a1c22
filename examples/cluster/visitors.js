// @ts-check
import { Browser, TruncatedResponse } from './browser.js';
import { ErrorResponse } from './journeys.js';
import { identifierOf, PEOPLE } from './people.js';
import { pause } from './ports.js';

/** Attempts at one login before it counts as lost. */
const MAX_ATTEMPTS = 6;

/**
 * Counts of logins by outcome.
 *
 * @typedef {object} Tally
 * @property {number} tried
 * @property {number} finished The application identified the right user
 * @property {number} retried Logins that met an error and started again, once or more
 * @property {number} lost Logins that ended without success or error, or failed in every attempt
 * @property {number} wrongUser Logins that ended as another user
 * @property {Record<string, number>} errors Occurrences by error message
 * @property {string[]} losses Reasons of lost logins
 */

/** Simulated users who log in, each with a new browser, and try again after an error. */
export class Visitors {
  /** @type {Tally} */
  tally = { tried: 0, finished: 0, retried: 0, lost: 0, wrongUser: 0, errors: {}, losses: [] };
  /** Logins in progress. */
  inProgress = 0;

  /**
   * @param {import('./journeys.js').Journey} journey
   * @param {string} home URL of the application, without a trailing slash
   * @param {number} [retryDelay] Pause before a user tries again after an error, in milliseconds
   */
  constructor(journey, home, retryDelay = 500) {
    this.journey = journey;
    this.home = home;
    this.retryDelay = retryDelay;
  }

  /**
   * Logs users in until `isDone`, then waits for the logins in progress.
   *
   * @param {number} concurrency
   * @param {() => boolean} isDone
   */
  async run(concurrency, isDone) {
    const queue = async () => {
      while (!isDone()) await this.logInNext();
    };
    await Promise.all(Array.from({ length: concurrency }, queue));
  }

  /** @private */
  async logInNext() {
    const { networks } = this.journey;
    const number = this.tally.tried;
    this.tally.tried += 1;
    this.inProgress += 1;
    const person = PEOPLE[number % PEOPLE.length];
    // Each user takes another network in the next round.
    const network = networks[(number + Math.floor(number / PEOPLE.length)) % networks.length];
    if (person && network) await this.logIn(person, network);
    this.inProgress -= 1;
  }

  /**
   * @private
   * @param {import('./people.js').SandboxPerson} person
   * @param {string} network
   */
  async logIn(person, network) {
    const { tally } = this;
    const browser = new Browser();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (attempt === 2) tally.retried += 1;
      if (attempt > 1) await pause(this.retryDelay);
      try {
        const found = await this.journey.logIn(browser, { home: this.home, network, person });
        if (found === undefined)
          return this.recordLoss(`${network}: no user is logged in, and there was no error`);
        if (found === identifierOf(person, network)) tally.finished += 1;
        else tally.wrongUser += 1;
        return;
      } catch (error) {
        if (!(error instanceof ErrorResponse || error instanceof TruncatedResponse)) {
          return this.recordLoss(`${network}: ${error instanceof Error ? error.message : 'no reason given'}`);
        }
        tally.errors[error.message] = (tally.errors[error.message] ?? 0) + 1;
      }
    }
    this.recordLoss(`${network}: an error in each of ${MAX_ATTEMPTS} attempts`);
  }

  /** @private @param {string} reason */
  recordLoss(reason) {
    this.tally.lost += 1;
    this.tally.losses.push(reason);
  }
}
