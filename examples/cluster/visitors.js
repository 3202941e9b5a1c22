// @ts-check
import { Browser, CutAnswer } from './browser.js';
import { ErrorAnswer } from './journeys.js';
import { identifierOf, PEOPLE } from './people.js';
import { pause } from './ports.js';

/** How often somebody tries who sees errors. */
const MOST_ATTEMPTS = 6;

/**
 * What became of the logins.
 *
 * @typedef {object} Tally
 * @property {number} tried
 * @property {number} finished The application knew who it was, and was right
 * @property {number} retried Those that met an error and began anew, once or more
 * @property {number} lost Those that ended without success and without an error, and those that failed in every attempt
 * @property {number} wrongPerson Those in which somebody else came out
 * @property {Record<string, number>} errors What people saw -> how often
 * @property {string[]} losses How logins were lost
 */

/** People who log in, each with a browser of their own, and try again when they see an error. */
export class Visitors {
  /** @type {Tally} */
  tally = { tried: 0, finished: 0, retried: 0, lost: 0, wrongPerson: 0, errors: {}, losses: [] };
  /** How many are on their way right now. */
  underWay = 0;

  /**
   * @param {import('./journeys.js').Journey} journey
   * @param {string} home Address of the application, without a slash at its end
   * @param {number} [reading] How long they read an error page before they begin anew, in milliseconds
   */
  constructor(journey, home, reading = 500) {
    this.journey = journey;
    this.home = home;
    this.reading = reading;
  }

  /**
   * Lets people come until there were enough; those on their way are waited for.
   *
   * @param {number} atOnce How many at the same time
   * @param {() => boolean} isEnough
   */
  async come(atOnce, isEnough) {
    const queue = async () => {
      while (!isEnough()) await this.welcomeNext();
    };
    await Promise.all(Array.from({ length: atOnce }, queue));
  }

  /** @private */
  async welcomeNext() {
    const { networks } = this.journey;
    const number = this.tally.tried;
    this.tally.tried += 1;
    this.underWay += 1;
    const person = PEOPLE[number % PEOPLE.length];
    // Each person comes through another network in the next round.
    const network = networks[(number + Math.floor(number / PEOPLE.length)) % networks.length];
    if (person && network) await this.welcome(person, network);
    this.underWay -= 1;
  }

  /**
   * @private
   * @param {import('./people.js').SandboxPerson} person
   * @param {string} network
   */
  async welcome(person, network) {
    const { tally } = this;
    const browser = new Browser();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      if (attempt === 2) tally.retried += 1;
      if (attempt > 1) await pause(this.reading);
      try {
        const found = await this.journey.logIn(browser, { home: this.home, network, person });
        if (found === undefined) return this.lose(`${network}: nobody is logged in, and there was no error`);
        if (found === identifierOf(person, network)) tally.finished += 1;
        else tally.wrongPerson += 1;
        return;
      } catch (error) {
        if (!(error instanceof ErrorAnswer || error instanceof CutAnswer)) {
          return this.lose(`${network}: ${error instanceof Error ? error.message : 'no reason given'}`);
        }
        tally.errors[error.message] = (tally.errors[error.message] ?? 0) + 1;
      }
    }
    this.lose(`${network}: an error in each of ${MOST_ATTEMPTS} attempts`);
  }

  /** @private @param {string} reason */
  lose(reason) {
    this.tally.lost += 1;
    this.tally.losses.push(reason);
  }
}
