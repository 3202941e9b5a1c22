// @ts-check
import { StartError } from '../errors.js';
import { microblog, microblogOAuth1 } from './microblog.js';
import { SANDBOX_PREFIX } from './network.js';
import { shortVideo } from './short-video.js';
import { socialNetwork, socialNetworkVkId } from './social-network.js';

/** Remove a network from this list to remove it from every page. The first of a family is its entry on the sign-in page. */
const NETWORKS = [shortVideo, microblog, socialNetworkVkId, microblogOAuth1, socialNetwork];

/** @typedef {{ usesSandbox: boolean, provider: string }} Origin With the key of the network's accounts */
/** @typedef {import('./network.js').Network & import('./network.js').Connection & Origin} ConnectedNetwork */
/** @typedef {import('passport-social-networks-sandbox').Sandbox} Sandbox */
/** @typedef {{ network: import('./network.js').Network, credentials: object | undefined }} ConfiguredNetwork */

/**
 * Reads the networks' credentials from the environment.
 *
 * @param {import('../settings.js').Settings} settings
 * @returns {ConfiguredNetwork[]} Without credentials, a network uses the sandbox
 * @throws {StartError} if credentials are missing in production, or one of two is missing
 */
export function configureNetworks(settings) {
  const found = NETWORKS.map((network) => ({ network, credentials: readCredentials(network, settings) }));
  const missing = found.filter(({ credentials }) => !credentials).map(({ network }) => network.variable);
  if (settings.isProduction && missing.length > 0) {
    const names = missing.map((variable) => `${variable}_CLIENT_ID`).join(', ');
    throw new StartError(
      `Without ${names}, this application would use the sandbox, where anyone can sign in as anyone. Set the credentials, or remove the networks in networks/index.js. NODE_ENV=production forbids the sandbox.`,
    );
  }
  return found;
}

/**
 * Connects each network with credentials to the real network, and the others to the sandbox.
 *
 * @param {ConfiguredNetwork[]} configured
 * @param {import('../settings.js').Settings} settings
 * @param {import('passport-social-networks').LoginStore} store One for all, so that they count the places in a browser together
 * @returns {Promise<{ networks: ConnectedNetwork[], sandbox: Sandbox | undefined }>}
 * @throws {StartError} if the sandbox cannot start
 */
export async function connectNetworks(configured, settings, store) {
  const isSandboxNeeded = configured.some(({ credentials }) => !credentials);
  const sandbox = isSandboxNeeded ? await startSandbox(settings) : undefined;
  const networks = configured.map(({ network, credentials }) => {
    const options = credentials ?? (sandbox && network.sandboxOptions(sandbox));
    return connectNetwork(network, { ...options, baseURL: settings.baseURL, store }, !credentials);
  });
  return { networks, sandbox };
}

/**
 * @param {import('./network.js').Network} network
 * @param {object} options Of the strategy
 * @param {boolean} usesSandbox
 * @returns {ConnectedNetwork}
 */
export function connectNetwork(network, options, usesSandbox) {
  const connection = network.connect({ ...options, name: network.name });
  // All versions of a network share one key, because they return the same user IDs. The sandbox has keys of its own, so that its
  // fictional users are never taken for the network's, even where they have the same ID.
  const provider = usesSandbox ? `${SANDBOX_PREFIX}${network.family}` : network.family;
  return { ...network, ...connection, usesSandbox, provider };
}

/**
 * Finds the network that an account's tokens belong to.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {{ network: string, provider: string }} account
 * @returns {ConnectedNetwork | undefined} `undefined` if this application no longer uses it
 */
export function networkOf(networks, { network, provider }) {
  return networks.find((candidate) => candidate.name === network && candidate.provider === provider);
}

/**
 * Names the network of an account, even if this application no longer uses the account's protocol.
 *
 * @param {ConnectedNetwork[]} networks
 * @param {{ network: string, provider: string }} account
 */
export function networkTitle(networks, { network, provider }) {
  return networks.find((candidate) => candidate.provider === provider)?.title ?? network;
}

/**
 * Names an account in a sentence, for example "TikTok account Ada".
 *
 * @param {ConnectedNetwork[]} networks
 * @param {{ network: string, provider: string, profile: import('./network.js').AccountProfile }} account
 */
export function accountTitle(networks, account) {
  const { displayName, username } = account.profile;
  const name = displayName || (username && `@${username}`);
  return [networkTitle(networks, account), 'account', name].filter(Boolean).join(' ');
}

/**
 * Chooses one entry for each network and sets its other protocols apart. The entry is the first of its family that has credentials,
 * or else the first.
 *
 * @template {{ family: string, usesSandbox: boolean }} Entry
 * @param {Entry[]} networks
 * @returns {{ entries: Entry[], others: Entry[] }}
 */
export function groupNetworks(networks) {
  const families = [...new Set(networks.map(({ family }) => family))];
  const entries = families.flatMap((family) => {
    const versions = networks.filter((network) => network.family === family);
    return versions.find(({ usesSandbox }) => !usesSandbox) ?? versions.slice(0, 1);
  });
  return { entries, others: networks.filter((network) => !entries.includes(network)) };
}

/** @param {import('./network.js').Network} network @param {import('../settings.js').Settings} settings */
function readCredentials({ variable }, { environment }) {
  const clientID = environment[`${variable}_CLIENT_ID`];
  const clientSecret = environment[`${variable}_CLIENT_SECRET`];
  if (clientID && clientSecret) return { clientID, clientSecret };
  if (!clientID && !clientSecret) return undefined;
  throw new StartError(
    `One of ${variable}_CLIENT_ID and ${variable}_CLIENT_SECRET is missing. Set both, or neither to use the sandbox.`,
  );
}

/** @param {import('../settings.js').Settings} settings @returns {Promise<Sandbox>} */
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
