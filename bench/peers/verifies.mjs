/**
 * The applications' verify functions. Each declares five arguments, the form with the token answer that every subject knows.
 *
 * @typedef {import('./application-process.mjs').Journal} Journal
 * @typedef {(error: unknown, user?: object | false, info?: object) => void} Done
 * @typedef {{ id?: unknown, displayName?: unknown }} Profile
 * @typedef {(token: unknown, second: unknown, params: Record<string, unknown>, profile: Profile, done: Done) => unknown} Verify
 */

/** @param {string} name @param {Journal} journal @returns {Verify} */
export function verifyNamed(name, journal) {
  const verify = VERIFIES[name];
  if (!verify) throw new Error(`no verify function is called ${name}`);
  return (token, second, params, profile, done) => {
    const person = {
      token,
      id: profile?.id,
      idType: typeof profile?.id,
      name: profile?.displayName ?? params?.name,
    };
    journal.verified.push({ ...person, tokenType: typeof token, secondType: typeof second });
    return verify(person, done);
  };
}

/** @type {Readonly<Record<string, (person: { name: unknown }, done: Done) => unknown>>} */
const VERIFIES = {
  /** Lets everybody in but one. */
  accept(person, done) {
    if (String(person.name).startsWith('Mallory')) done(null, false, { message: 'not allowed here' });
    else done(null, person);
  },
  throw: () => {
    throw new Error('the database is down');
  },
  reject: async () => {
    throw new Error('the database is down');
  },
  repeat: (person, done) => {
    done(null, person);
    done(null, { ...person, name: 'somebody else' });
    throw new Error('after the answer');
  },
};
