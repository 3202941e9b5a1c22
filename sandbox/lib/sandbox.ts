import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock } from './clock.js';
import { Faults, type SandboxFaultRule } from './faults.js';
import { NETWORKS, type StrategyOptions, strategyOptions } from './networks.js';
import { PEOPLE, type SandboxPerson } from './people.js';
import { checkPeople } from './people-check.js';
import { isLocalAddress } from './redirect-uri.js';
import { RequestLog, type SandboxRequest } from './request-log.js';
import { requestListener } from './server.js';
import { type VkIdCallback, World } from './world.js';

/** Settings of a sandbox. */
export interface SandboxSettings {
  /** Port to listen on. Default: `0`, any free port. */
  readonly port?: number;
  /**
   * Address to listen on. Default: `127.0.0.1`.
   *
   * Anyone who can reach the sandbox can log in as anyone, so keep it unreachable from other machines.
   */
  readonly host?: string;
  /** Who can log in. Default: `PEOPLE`. */
  readonly people?: readonly SandboxPerson[];
  /**
   * Form of VK ID's authorization response: `flat` has one query parameter per value, `payload` has all of them in one JSON
   * parameter. The real network uses both. Default: `flat`.
   */
  readonly vkIdCallback?: VkIdCallback;
  /**
   * Whether to reject what the networks are only supposed to reject. Default: `false`: the sandbox notes such a request in
   * `requests()`, and handles it as if it were right. `docs/evidence.md` lists what is supposed.
   */
  readonly strict?: boolean;
  /** Faults from the start, until `reset()`. Default: none. */
  readonly faults?: readonly SandboxFaultRule[];
  /** Called with each request as it is logged. */
  readonly onRequest?: (request: SandboxRequest) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  /** Who can log in. */
  readonly people: readonly SandboxPerson[];
  /** Credentials and URLs of a network, to spread into the options of a strategy. */
  readonly options: StrategyOptions;
  /** The latest thousand requests to the networks, newest last. */
  requests(): readonly SandboxRequest[];
  /**
   * Adds a fault: makes an endpoint fail.
   *
   * @example
   * const remove = sandbox.fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'hang' }, times: 1 });
   * @returns Removes the fault. A request that already hangs does so until its connection is closed.
   * @throws TypeError for an unknown network, endpoint or fault, or an invalid value.
   */
  fault(rule: SandboxFaultRule): () => void;
  /** Deletes every code, token, nonce and logged request, and removes every fault. The clock keeps its time. */
  reset(): void;
  /**
   * Moves the sandbox's clock forward, so that codes and tokens expire. From five minutes on, OAuth 1.0a requests fail,
   * because the client's clock does not move.
   *
   * @param milliseconds - Zero or more.
   */
  advance(milliseconds: number): void;
  /** Stops listening and closes every connection, even idle or hanging ones. Closing twice is harmless. */
  close(): Promise<void>;
}

/**
 * Starts a local stand-in for the three networks.
 *
 * It rejects what a network's documentation or a report says that the network rejects, with the network's own error response. What
 * is only supposed is noted in `requests()`, unless `strict` is set.
 * Append `auto=allow&person=<id>` or `auto=deny` to an authorization URL to skip the consent page.
 *
 * @example
 * const sandbox = await startSandbox();
 * passport.use(new ShortVideoStrategy({ ...sandbox.options('short-video'), callbackURL }, verify));
 * @throws Error when the port is in use.
 * @throws TypeError when `people` or `faults` are invalid. Nothing listens then.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', people = PEOPLE, vkIdCallback = 'flat', strict = false } = settings;
  checkPeople(people, 'startSandbox');
  const clock = new Clock();
  const world = new World(clock, people, { vkIdCallback });
  const log = new RequestLog(settings.onRequest);
  const endpoints = NETWORKS.flatMap((network) => network.endpoints(world));
  const faults = new Faults(endpoints);
  for (const rule of settings.faults ?? []) faults.add(rule);
  warnInProduction();
  const server = createServer(
    requestListener({ world, endpoints, faults, log, isStrict: strict, isLocal: isLocalAddress(host) }),
  );
  const url = await listen(server, port, host);
  world.url = url;
  return {
    url,
    people,
    options: strategyOptions(url),
    requests: () => log.list(),
    fault: (rule) => faults.add(rule),
    reset: () => {
      world.reset();
      faults.clear();
      log.clear();
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: () => close(server),
  };
}

let warned = false;

/** Warns once per process. */
function warnInProduction(): void {
  if (warned || process.env.NODE_ENV !== 'production') return;
  warned = true;
  process.emitWarning(
    'The sandbox was started with NODE_ENV=production. Anyone who can reach it can log in as anyone: use it for development and tests only.',
    { type: 'SandboxWarning', code: 'SANDBOX_IN_PRODUCTION' },
  );
}

/** @returns URL of the server, without a slash at its end. A server on all addresses gets the URL of 127.0.0.1. */
function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { port: actual } = server.address() as AddressInfo;
      const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
      resolve(`http://${name.includes(':') ? `[${name}]` : name}:${actual}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
