// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { encryptionKeys } from './database/schema.js';
import { readKey } from './settings.js';
import { StartError } from './start-error.js';

const FILE = 'encryption-key';
const PURPOSE = 'tokens';
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' };

/** Seals texts with one key, each for one place: a token that is copied to another account's row does not open there. */
export class Vault {
  /** @param {Uint8Array} key 32 bytes */
  constructor(key) {
    this.key = key;
    // Says in each sealed text which key it needs, for the day on which there are two.
    this.keyID = createHash('sha256').update(key).digest('base64url').slice(0, 8);
  }

  /**
   * @param {string} text
   * @param {string} place Where it will be kept; whoever opens it must name the same place
   * @returns {Promise<string>} A JWE in its compact form
   */
  seal(text, place) {
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ ...ALGORITHM, kid: this.keyID, sub: place })
      .encrypt(this.key);
  }

  /**
   * @param {string} sealed
   * @param {string} place
   * @throws {Error} when it was sealed with another key, for another place, or was altered
   */
  async open(sealed, place) {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, this.key, {
      keyManagementAlgorithms: [ALGORITHM.alg],
      contentEncryptionAlgorithms: [ALGORITHM.enc],
    });
    if (protectedHeader.sub !== place) throw new Error('A sealed text is not where it belongs.');
    return new TextDecoder().decode(plaintext);
  }
}

/**
 * The vault with the key of the settings, or else with one that is made once and kept in the data folder.
 *
 * @param {import('./database/open.js').Database} database
 * @param {import('./settings.js').Settings} settings
 * @param {import('./data-folder.js').DataFolder} folder
 * @throws {StartError} when the tokens in the database were sealed with another key
 */
export async function openVault(database, settings, folder) {
  const kept = settings.encryptionKey ?? (await keptKey(folder));
  const isNewDatabase = (await findProof(database)) === undefined;
  if (!kept && !isNewDatabase) throw wrongKey(folder);
  const vault = new Vault(kept ?? (await newKey(folder)));
  if (isNewDatabase) {
    const proof = await vault.seal(PURPOSE, PURPOSE);
    await database.insert(encryptionKeys).values({ purpose: PURPOSE, proof }).onConflictDoNothing();
  }
  // Read again: another process may have been faster, with another key.
  await vault.open((await findProof(database)) ?? '', PURPOSE).catch(() => {
    throw wrongKey(folder);
  });
  return vault;
}

/** @param {import('./database/open.js').Database} database */
async function findProof(database) {
  const [row] = await database.select().from(encryptionKeys).where(eq(encryptionKeys.purpose, PURPOSE));
  return row?.proof;
}

/** @param {import('./data-folder.js').DataFolder} folder */
async function keptKey(folder) {
  const text = await folder.readSecret(FILE);
  return text === undefined ? undefined : readKey(text, `The file ${FILE} in ${folder.path}`);
}

/** @param {import('./data-folder.js').DataFolder} folder */
async function newKey(folder) {
  return readKey(await folder.keepSecret(FILE, randomBytes(32).toString('base64')), FILE);
}

/** @param {import('./data-folder.js').DataFolder} folder */
function wrongKey(folder) {
  return new StartError(
    `The tokens in the database were encrypted with another key. Set ENCRYPTION_KEY to that key, or put it back into ${folder.path}/${FILE}.`,
  );
}
