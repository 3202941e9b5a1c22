// @ts-check
import { StartError } from '../start-error.js';
import { microblog, microblogOAuth1 } from './microblog.js';
import { shortVideo } from './short-video.js';
import { socialNetwork, socialNetworkVkId } from './social-network.js';

/** Remove a network from this list to remove it from every page. */
const NETWORKS = [shortVideo, microblog, microblogOAuth1, socialNetwork, socialNetworkVkId];

/** @typedef {import('./network.js').Network & import('./network.js').Connection & { usesSandbox: boolean }} ConnectedNetwork */
/** @typedef {import('passport-social-networks-sandbox').Sandbox} Sandbox */

/**
 * Connects each network with credentials in the environment to the real network, and the others to the sandbox.
 *
 * @param {import('../settings.js').Settings} settings
 * @returns {Promise<{ networks: ConnectedNetwork[], sandbox: Sandbox | undefined }>}
 * @throws {StartError} if one of two credentials is missing, or the sandbox cannot start
 */
export async function connectNetworks(settings) {
  const found = NETWORKS.map((network) => ({ network, credentials: readCredentials(network, settings) }));
  const isSandboxNeeded = found.some(({ credentials }) => !credentials);
  const sandbox = isSandboxNeeded ? await startSandbox(settings) : undefined;
  const networks = found.map(({ network, credentials }) => {
    const options = credentials ?? (sandbox && network.sandboxOptions(sandbox));
    const connection = network.connect({ ...options, name: network.name, ...callbackOf(network, settings) });
    return { ...network, ...connection, usesSandbox: !credentials };
  });
  return { networks, sandbox };
}

/**
 * @param {import('./network.js').Network} network
 * @param {import('../settings.js').Settings} settings
 */
function readCredentials({ variable, hasSecret }, { environment }) {
  const clientID = environment[`${variable}_CLIENT_ID`];
  const clientSecret = environment[`${variable}_CLIENT_SECRET`];
  if (!hasSecret) return clientID ? { clientID } : undefined;
  if (clientID && clientSecret) return { clientID, clientSecret };
  if (!clientID && !clientSecret) return undefined;
  throw new StartError(
    `One of ${variable}_CLIENT_ID and ${variable}_CLIENT_SECRET is missing. Set both, or neither to use the sandbox.`,
  );
}

/**
 * Without a base URL, the redirect URI follows the request: a login that begins at localhost must not return to 127.0.0.1.
 *
 * @param {import('./network.js').Network} network
 * @param {import('../settings.js').Settings} settings
 */
function callbackOf({ name }, { baseURL }) {
  return baseURL === undefined ? {} : { callbackURL: `${baseURL}/api/auth/callback/${name}` };
}

/**
 * @param {import('../settings.js').Settings} settings
 * @returns {Promise<Sandbox>}
 */
async function startSandbox({ port, sandboxPort }) {
  const { startSandbox: start } = await import('passport-social-networks-sandbox');
  if (sandboxPort !== undefined) {
    return start({ port: sandboxPort }).catch(() => {
      throw new StartError(
        `The sandbox cannot use port ${sandboxPort}. Set SANDBOX_PORT to another, or to 0 for any free one.`,
      );
    });
  }
  // Use the same port after each start, so that open sandbox pages keep working.
  return start({ port: port === 0 || port === 65_535 ? 0 : port + 1 }).catch(() => start());
}
