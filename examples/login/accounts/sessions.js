// @ts-check
// Sessions in the database, so that a restart signs nobody out.
import session from 'express-session';
import { query } from './database.js';

/** How long a session lasts after its last change, in milliseconds. */
export const SESSION_LIFETIME = 7 * 24 * 60 * 60 * 1000;

/** @typedef {(error?: unknown, session?: any) => void} Done */

/** Sessions that were saved before. One that was destroyed since then must not come back. @type {WeakSet<object>} */
const saved = new WeakSet();

export class DatabaseStore extends session.Store {
  /** @override @param {string} id @param {Done} done */
  get(id, done) {
    const found = query('select content from sessions where id = ? and expires_at > ?', id, Date.now());
    found.then(
      ([row]) => done(null, row && JSON.parse(/** @type {{ content: string }} */ (row).content)),
      done,
    );
  }

  /** @override @param {string} id @param {session.SessionData} content @param {Done} done */
  set(id, content, done) {
    const statement = saved.has(content)
      ? 'update sessions set content = ?, expires_at = ? where id = ?'
      : 'insert into sessions (content, expires_at, id) values (?, ?, ?)';
    saved.add(content);
    query(statement, JSON.stringify(content), Date.now() + SESSION_LIFETIME, id).then(() => done(), done);
  }

  /** What express-session makes of a session that it has read. @override @param {import('express').Request} req @param {session.SessionData} content */
  createSession(req, content) {
    const read = super.createSession(req, content);
    saved.add(read);
    return read;
  }

  /** @override @param {string} id @param {Done} done */
  destroy(id, done) {
    query('delete from sessions where id = ?', id).then(() => done(), done);
  }
}

/** @param {session.Store} store @param {string} secret Signs the cookie @param {boolean} secure Whether browsers reach the application by https */
export function sessions(store, secret, secure) {
  const cookie = /** @type {const} */ ({ sameSite: 'lax', secure, maxAge: SESSION_LIFETIME });
  // The prefix makes browsers keep the cookie to this host, and to https.
  const name = secure ? '__Host-session' : 'session';
  return session({ store, secret, name, resave: false, saveUninitialized: false, cookie });
}
