import type * as Browsers from '../../../examples/cluster/browser.js';
import type * as InstancesModule from '../../../examples/cluster/instances.js';
import type * as People from '../../../examples/cluster/people.js';
import type * as Ports from '../../../examples/cluster/ports.js';
import type { Servers } from '../../../examples/cluster/servers.js';
import type * as SharedSandboxes from '../../../examples/cluster/shared-sandbox.js';
import type * as Variants from '../../../examples/cluster/variants.js';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { load } from './modules.js';

/** Two processes of a variant, without a balancer, with a sandbox that this process can observe. */
export class Cluster {
  private constructor(
    /** Names of the strategies. */
    readonly networks: readonly string[],
    private readonly instances: InstancesModule.Instances,
    private readonly sandbox: Sandbox,
  ) {}

  /**
   * @param title - The title of the variant.
   * @param servers - For a variant that needs them.
   */
  static async start(title: string, servers?: Servers): Promise<Cluster> {
    const { VARIANTS } = await load<typeof Variants>('variants.js');
    const { Instances } = await load<typeof InstancesModule>('instances.js');
    const { freePorts } = await load<typeof Ports>('ports.js');
    const { shareSandbox } = await load<typeof SharedSandboxes>('shared-sandbox.js');
    const { PEOPLE } = await load<typeof People>('people.js');
    const variant = VARIANTS.find((candidate) => candidate.title === title);
    if (!variant) throw new Error(`There is no variant "${title}".`);
    const sandbox = await startSandbox({ people: PEOPLE });
    const ports = await freePorts(2);
    const instances = await Instances.start(ports, {
      ...(await variant.environment(servers as Servers, servers?.folder ?? '')),
      SHARED_SANDBOX: JSON.stringify(shareSandbox(sandbox)),
      BASE_URL: `http://127.0.0.1:${ports[0]}`,
    });
    return new Cluster(variant.journey.networks, instances, sandbox);
  }

  async stop(): Promise<void> {
    await this.instances.stop();
    await this.sandbox.close();
  }

  /** Performs a login whose authorization response reaches both processes at the same moment. */
  async finishTwice(network: string): Promise<{ statuses: number[]; codes: number }> {
    const [one = '', other = ''] = this.urls();
    const { browser, callback } = await this.begin(one, network);
    const before = this.codes();
    const pages = await Promise.all([one, other].map((url) => browser.get(url + callback)));
    // The login example redirects to the profile.
    const statuses = pages.map(({ status }) => (status === 302 ? 200 : status));
    return { statuses, codes: this.codes() - before };
  }

  /** Begins a login in one process and finishes it in the other. @returns Status and text of the response. */
  async finishElsewhere(network: string, beginsIn: 0 | 1): Promise<string> {
    const urls = this.urls();
    const { browser, callback } = await this.begin(urls[beginsIn] ?? '', network);
    const { status, text } = await browser.get(urls[1 - beginsIn] + callback);
    return `${status} ${text}`;
  }

  private urls(): string[] {
    return this.instances.slots.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  /** Begins a login and gives consent. @returns The path and query of the callback. */
  private async begin(url: string, network: string) {
    const { Browser } = await load<typeof Browsers>('browser.js');
    const browser = new Browser();
    const start = await browser.get(`${url}/api/auth/signin/${network}`);
    const consent = await browser.get(`${start.location}&auto=allow&person=person-1`);
    const { pathname, search } = new URL(consent.location);
    return { browser, callback: pathname + search };
  }

  /** How many codes and verifiers the networks got. */
  private codes(): number {
    return this.sandbox.requests().filter(({ endpoint }) => CODE_ENDPOINTS.includes(endpoint)).length;
  }
}

const CODE_ENDPOINTS = ['token', 'access token'];
