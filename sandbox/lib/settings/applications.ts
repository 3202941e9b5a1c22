import { type Check, isObject, SettingError, text, unknownProperty } from '../core/checks.js';
import { type Application, clientFor, type SandboxOptions } from '../core/clients.js';
import { redirectUriProblem } from '../core/redirect-uri.js';
import type { SandboxNetwork, SandboxVersion } from '../networks.js';
import { NETWORKS, unknownNetwork, versionMistake } from '../networks.js';

/** Changes to an application that the sandbox has registered with a network. Missing properties stay as they are. */
export interface SandboxApplication {
  readonly network: SandboxNetwork;
  /** Protocol version, for networks with two. Default: the strategy's own default. */
  readonly version?: SandboxVersion | undefined;
  /** Kind of client. Default: `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public' | undefined;
  /** Name on the consent page. */
  readonly name?: string | undefined;
  /** Client identifier, client key or consumer key. At the social network, digits. */
  readonly clientID?: string | undefined;
  /** Client secret; not for clients that have none. */
  readonly clientSecret?: string | undefined;
  /** Service token of a confidential VK ID application. */
  readonly serviceToken?: string | undefined;
  /** The redirect URIs that are registered, compared exactly. Default: any. */
  readonly redirectAddresses?: readonly string[] | undefined;
}

const CREDENTIALS = ['clientID', 'clientSecret', 'serviceToken'];
const PROPERTIES = ['network', 'version', 'client', 'name', ...CREDENTIALS, 'redirectAddresses'];
const NUMBER: Check = text(/^[1-9]\d{0,15}$/, 'must be digits, in quotes');
const VISIBLE: Check = text(/^[\x21-\x7e]+$/, 'must be a string of visible ASCII characters');

/** Changes, by the identifier that the network's folder gives the application. @throws SettingError */
export function changedApplications(applications: unknown): ReadonlyMap<string, Partial<Application>> {
  if (!Array.isArray(applications)) throw new SettingError('applications must be a list', []);
  const changed = new Map<string, Partial<Application>>();
  for (const [index, application] of applications.entries()) {
    const [id, change] = changeOf(application, (problem, ...path) => {
      return new SettingError(`application ${index + 1}: ${problem}`, path);
    });
    changed.set(id, { ...changed.get(id), ...change });
  }
  return changed;
}

type Mistake = (problem: string, ...path: (string | number)[]) => SettingError;

type Change = readonly [id: string, change: Partial<Application>];

function changeOf(given: unknown, mistake: Mistake): Change {
  if (!isObject(given)) throw mistake('must be an object');
  const extra = unknownProperty(given, PROPERTIES);
  if (extra) throw mistake(extra[1], extra[0]);
  const { network, name, clientID: id, clientSecret: secret, serviceToken, redirectAddresses } = given;
  const options = registeredOptions(given, mistake);
  for (const property of CREDENTIALS) {
    if (given[property] === undefined) continue;
    if (!Object.hasOwn(options, property)) throw mistake(`this client has no ${property}`, property);
    const isNumber = property === 'clientID' && network === 'social-network';
    const [isValid, requirement] = isNumber ? NUMBER : VISIBLE;
    if (!isValid(given[property])) throw mistake(`${property} ${requirement}`, property);
  }
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    throw mistake('name must be a string', 'name');
  if (redirectAddresses !== undefined) checkAddresses(redirectAddresses, mistake);
  const change = Object.entries({ id, secret, serviceToken, name, redirectAddresses });
  return [options.clientID, Object.fromEntries(change.filter(([, value]) => value !== undefined))];
}

/** Options of the client that an application changes, as the network's folder has them. */
function registeredOptions(
  { network, version, client }: Readonly<Record<string, unknown>>,
  mistake: Mistake,
): SandboxOptions {
  const known = NETWORKS.find(({ name }) => name === network);
  if (!known) throw mistake(unknownNetwork(network), 'network');
  const wrongType = versionMistake(version);
  if (wrongType !== undefined) throw mistake(wrongType, 'version');
  const found = clientFor(known.clients, { version, client });
  if (found) return found.options('');
  throw mistake(`${known.name} has no such version or client`, version === undefined ? 'client' : 'version');
}

function checkAddresses(addresses: unknown, mistake: Mistake): void {
  if (!Array.isArray(addresses)) throw mistake('redirectAddresses must be a list', 'redirectAddresses');
  for (const [index, address] of addresses.entries()) {
    const problem = typeof address === 'string' ? redirectUriProblem(address) : 'it is no string';
    if (problem === undefined) continue;
    const reason = problem.replace('redirect_uri', 'it');
    throw mistake(`redirect address ${index + 1} is not possible: ${reason}`, 'redirectAddresses', index);
  }
}
