import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { FUNCTION, isObject, SettingError } from '../core/checks.js';
import { PEOPLE, type SandboxPerson } from '../core/people.js';
import { Clock, type VkIdCallback, World } from '../core/world.js';
import { NETWORKS, type StrategyOptions, strategyOptions } from '../networks.js';
import type { SandboxApplication } from '../settings.js';
import { changedApplications, checkPeople, SETTINGS, settingMistakes } from '../settings.js';
import { Faults, type SandboxFaultRule } from '../traffic/faults.js';
import { RequestLog, type SandboxRequest } from '../traffic/request-log.js';
import { makeCertificate } from './certificate.js';
import { forget } from './control.js';
import { requestListener } from './server.js';

export interface SandboxSettings {
  /** Port to listen on. Default: `0`, any free port. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: `127.0.0.1`. Anyone who can reach the sandbox can log in as anyone: keep other machines out. */
  readonly host?: string | undefined;
  /** Whether to serve https, with a certificate that the sandbox makes for itself: `certificate` has it. Default: `false`, plain http. */
  readonly https?: boolean | undefined;
  /** Who can log in. Default: `PEOPLE`. */
  readonly people?: readonly SandboxPerson[] | undefined;
  /** Form of VK ID's authorization response; the real network uses both. Default: both in turn, `flat` first, also after `reset()`. */
  readonly vkIdCallback?: VkIdCallback | undefined;
  /** Whether to reject what the networks are only supposed to reject. Default: `false`: such a request is noted, and handled as if it were right. */
  readonly strict?: boolean | undefined;
  /** Changes to the registered applications: names, credentials, redirect URIs. Default: none, and any redirect URI. */
  readonly applications?: readonly SandboxApplication[] | undefined;
  /** Faults from the start, until `reset()`. Default: none. */
  readonly faults?: readonly SandboxFaultRule[] | undefined;
  /** Called with each request as it is logged. */
  readonly onRequest?: ((request: SandboxRequest) => void) | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without a slash at its end; `https:` with the setting `https`. */
  readonly url: string;
  /** In PEM, for the clients that must trust it; `undefined` without `https`. It is made anew at every start. */
  readonly certificate: string | undefined;
  readonly people: readonly SandboxPerson[];
  readonly options: StrategyOptions;
  /** The latest thousand requests to the networks, newest last. */
  requests(): readonly SandboxRequest[];
  /**
   * Makes an endpoint fail.
   *
   * @returns Removes the fault. A request that already hangs does so until its connection is closed.
   * @throws TypeError for an unknown network, endpoint or fault, or an invalid value.
   */
  fault(rule: SandboxFaultRule): () => void;
  /** Deletes every code, token, nonce and logged request, and removes every fault. The clock keeps its time. */
  reset(): void;
  /** Moves the sandbox's clock forward, so that codes and tokens expire. From five minutes on, OAuth 1.0a fails: the client's clock stays. */
  advance(milliseconds: number): void;
  /** Stops listening and closes every connection, even idle or hanging ones. Closing twice is harmless. */
  close(): Promise<void>;
}

let warned = false;

/**
 * Starts a local stand-in for the three networks. It rejects what a network's documentation or a report says that the network
 * rejects, with the network's own error response. Append `auto=allow&person=<id>` or `auto=deny` to an authorization URL to skip the consent page.
 *
 * @example
 * const sandbox = await startSandbox();
 * passport.use(new ShortVideoStrategy({ ...sandbox.options('short-video'), callbackURL }, verify));
 * @throws Error with code `EADDRINUSE` when the port is in use.
 * @throws TypeError for an unknown setting, or an invalid value: it names the setting, and what to write. Nothing listens then.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<Sandbox> {
  const [mistake] = isObject(settings)
    ? settingMistakes(settings, { ...SETTINGS, 'onRequest?': FUNCTION })
    : [new SettingError('the settings must be an object, such as { port: 4000 }', [])];
  if (mistake) throw new SettingError(`startSandbox: ${mistake.message}`, mistake.path);
  const { port = 0, host = '127.0.0.1', people = PEOPLE, vkIdCallback, strict = false } = settings;
  checkPeople(people, 'startSandbox');
  const clock = new Clock();
  const world = new World(clock, people, { vkIdCallback }, changedApplications(settings.applications ?? []));
  const log = new RequestLog(world, settings.onRequest);
  const endpoints = NETWORKS.flatMap((network) => network.endpoints(world));
  const faults = new Faults(endpoints);
  for (const rule of settings.faults ?? []) faults.add(rule);
  if (!warned && process.env.NODE_ENV === 'production') {
    warned = true;
    process.emitWarning(
      'The sandbox was started with NODE_ENV=production. Anyone who can reach it can log in as anyone: use it for development and tests only.',
      { type: 'SandboxWarning', code: 'SANDBOX_IN_PRODUCTION' },
    );
  }
  const parts = { world, endpoints, faults, log, isStrict: strict };
  const listener = requestListener(parts, host);
  const identity = settings.https === true ? await makeCertificate(host) : undefined;
  const server = identity ? createSecureServer({ ...identity }, listener) : createServer(listener);
  const url = `${identity ? 'https' : 'http'}://${await listen(server, port, host)}`;
  world.url = url;
  return {
    url,
    certificate: identity?.cert,
    people,
    options: strategyOptions(url, (options) => world.withCredentials(options)),
    requests: () => log.list(),
    fault: (rule) => {
      const id = faults.add(rule);
      return () => void faults.remove(id);
    },
    reset: () => forget(parts),
    advance: (milliseconds) => clock.advance(milliseconds),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw cause;
    const message = `startSandbox: port ${port} is in use. Take another, such as startSandbox({ port: ${nextPort(port)} }), or leave port out for any free one.`;
    throw Object.assign(new Error(message, { cause }), { code, port });
  }
  const { port: actual } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${actual}`;
}

export const nextPort = (port: number): number => (port < 65_535 ? port + 1 : 1_024);
