import type { Application, SandboxOptions } from '../core/clients.js';
import { redirectUriProblem } from '../core/oauth.js';
import { NETWORKS, type SandboxNetwork, type SandboxVersion } from '../networks.js';

/** Changes to an application that the sandbox has registered with a network. Missing properties stay as they are. */
export interface SandboxApplication {
  readonly network: SandboxNetwork;
  /** Protocol version, for networks with two. Default: the strategy's own default. */
  readonly version?: SandboxVersion;
  /** Kind of client. Default: `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public';
  /** Name on the consent page. */
  readonly name?: string;
  /** Client identifier, client key or consumer key. At the social network, digits. */
  readonly clientID?: string;
  /** Client secret; not for clients that have none. */
  readonly clientSecret?: string;
  /** Service token of a confidential VK ID application. */
  readonly serviceToken?: string;
  /** The redirect URIs that are registered, compared exactly. Default: any. */
  readonly redirectAddresses?: readonly string[];
}

/** What is wrong with a setting, and where: the keys that lead to it. */
export class SettingError extends TypeError {
  override readonly name = 'SettingError';

  constructor(
    message: string,
    readonly path: readonly (string | number)[],
  ) {
    super(message);
  }
}

const PROPERTIES = [
  'network',
  'version',
  'client',
  'name',
  'clientID',
  'clientSecret',
  'serviceToken',
  'redirectAddresses',
];

/**
 * Checks applications at run time, and finds the registered client that each changes.
 *
 * @returns Changes, by the identifier that the network's folder gives the application.
 * @throws SettingError naming the application, by its position, and the property.
 */
export function changedApplications(applications: unknown): ReadonlyMap<string, Partial<Application>> {
  if (!Array.isArray(applications)) throw new SettingError('applications must be a list', ['applications']);
  const changed = new Map<string, Partial<Application>>();
  for (const [index, application] of applications.entries()) {
    const [id, change] = changeOf(application, (problem, ...path) => {
      return new SettingError(`application ${index + 1}: ${problem}`, ['applications', index, ...path]);
    });
    changed.set(id, { ...changed.get(id), ...change });
  }
  return changed;
}

type Mistake = (problem: string, ...path: (string | number)[]) => SettingError;

function changeOf(
  application: unknown,
  mistake: Mistake,
): readonly [id: string, change: Partial<Application>] {
  if (typeof application !== 'object' || application === null) throw mistake('must be an object');
  const extra = Object.keys(application).find((name) => !PROPERTIES.includes(name));
  if (extra !== undefined) {
    throw mistake(`unknown property "${extra}" (known: ${PROPERTIES.join(', ')})`, extra);
  }
  const { name, clientID, clientSecret, serviceToken, redirectAddresses, ...place } = application as Readonly<
    Record<string, unknown>
  >;
  const options = registeredOptions(place, mistake);
  for (const [property, value] of Object.entries({ clientID, clientSecret, serviceToken })) {
    if (value === undefined) continue;
    if (!Object.hasOwn(options, property)) throw mistake(`this client has no ${property}`, property);
    const isNumber = property === 'clientID' && place.network === 'social-network';
    const pattern = isNumber ? /^[1-9]\d{0,15}$/ : /^[\x21-\x7e]+$/;
    if (typeof value === 'string' && pattern.test(value)) continue;
    const requirement = isNumber ? 'digits, in quotes' : 'a string of visible ASCII characters';
    throw mistake(`${property} must be ${requirement}`, property);
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw mistake('name must be a string', 'name');
  }
  if (redirectAddresses !== undefined) checkAddresses(redirectAddresses, mistake);
  const change = { id: clientID, secret: clientSecret, serviceToken, name, redirectAddresses };
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return [options.clientID, Object.fromEntries(given)];
}

/** Options of the client that an application changes, as the network's folder has them. */
function registeredOptions(
  { network, version, client }: Readonly<Record<string, unknown>>,
  mistake: Mistake,
): SandboxOptions {
  const known = NETWORKS.find(({ name }) => name === network);
  if (!known) {
    const names = NETWORKS.map(({ name }) => name).join(', ');
    throw mistake(`unknown network "${String(network)}" (known: ${names})`, 'network');
  }
  const [first] = known.clients;
  const found = known.clients.find(
    (candidate) =>
      candidate.version === (version ?? first?.version) && candidate.kind === (client ?? candidate.kind),
  );
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
