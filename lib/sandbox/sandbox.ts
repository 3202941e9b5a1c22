import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock } from './clock.js';
import { loadExpress } from './express.js';
import { Faults, type SandboxFaultRule } from './faults.js';
import { microblog } from './microblog/index.js';
import type { StrategyOptions } from './options.js';
import { PEOPLE, type SandboxPerson } from './people.js';
import { checkPeople } from './people-check.js';
import { warnInProduction } from './production.js';
import { RequestLog, type SandboxRequest } from './request-log.js';
import { requestListener } from './server.js';
import { shortVideo } from './short-video/index.js';
import { socialNetwork } from './social-network/index.js';
import type { VkIdCallback } from './social-network/vk-id.js';
import { strategyOptions } from './strategy-options.js';
import { World } from './world.js';

/** How to start a sandbox. */
export interface SandboxSettings {
  /** Port to listen on. Default: `0`, any that is free. */
  readonly port?: number;
  /**
   * Address to listen on. Default: `127.0.0.1`.
   *
   * Whoever reaches the sandbox can log in as anybody, so other machines should not.
   */
  readonly host?: string;
  /** Who can log in. Default: `PEOPLE`, each with something that breaks software. */
  readonly people?: readonly SandboxPerson[];
  /**
   * Form of VK ID's callback: parameters one by one, or all in one of JSON named `payload`. The network sends either.
   * Default: `flat`.
   */
  readonly vkIdCallback?: VkIdCallback;
  /** What goes wrong from the start, until `reset()`. Default: nothing. */
  readonly faults?: readonly SandboxFaultRule[];
  /** Called with each request as it is noted, to watch the sandbox live. */
  readonly onRequest?: (request: SandboxRequest) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  /** Who can log in. */
  readonly people: readonly SandboxPerson[];
  /** Credentials and addresses of a network, to be spread into a strategy's options. */
  readonly options: StrategyOptions;
  /** The requests that reached a network, newest last; the latest thousand. */
  requests(): readonly SandboxRequest[];
  /**
   * Makes something go wrong at an endpoint.
   *
   * @example
   * const lift = sandbox.fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'hang' }, times: 1 });
   * @returns Lifts the fault; what hangs already goes on hanging until its connection is closed.
   * @throws TypeError for a network, endpoint or fault that does not exist, and a value that cannot be.
   */
  fault(rule: SandboxFaultRule): () => void;
  /** Forgets every code, token, nonce and request and lifts every fault. The clock stays. */
  reset(): void;
  /**
   * Moves the sandbox's clock forward, so that codes and tokens expire. Signed requests of OAuth 1.0a are stale from
   * five minutes on, because their senders' clocks stay.
   *
   * @param milliseconds - Zero or more.
   */
  advance(milliseconds: number): void;
  /** Stops listening and closes every connection, idle and hanging ones too. Closing twice does no harm. */
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the three networks on this machine.
 *
 * It is as strict as the networks' documentation: what they refuse, it refuses, in their words and with their status.
 * Append `auto=allow&person=<id>` or `auto=deny` to an authorization address to answer without the page.
 *
 * @example
 * const sandbox = await startSandbox();
 * passport.use(new ShortVideoStrategy({ ...sandbox.options('short-video'), callbackURL }, verify));
 * @throws Error when express is not installed, or the port is taken.
 * @throws TypeError when `people` or `faults` cannot be. Nothing listens then.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', people = PEOPLE, vkIdCallback = 'flat' } = settings;
  checkPeople(people, 'startSandbox');
  const framework = loadExpress();
  const clock = new Clock();
  const world = new World(clock, people);
  const log = new RequestLog(settings.onRequest);
  const endpoints = [...shortVideo(world), ...microblog(world), ...socialNetwork(world, vkIdCallback)];
  const faults = new Faults(endpoints);
  for (const rule of settings.faults ?? []) faults.add(rule);
  warnInProduction();
  const server = createServer(requestListener(framework, { world, endpoints, faults, log }));
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

/** @returns Address of the server, without a slash at its end; that of this machine when it listens to all. */
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
