import type * as Browsers from '../../../examples/cluster/browser.js';
import type * as Infrastructures from '../../../examples/cluster/infrastructure.js';
import type { Instances } from '../../../examples/cluster/instances.js';
import type * as People from '../../../examples/cluster/people.js';
import type * as SharedSandboxes from '../../../examples/cluster/shared-sandbox.js';
import type * as Variants from '../../../examples/cluster/variants.js';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Servers } from '../login/servers.js';
import { load } from './modules.js';

/** Two processes of a variant, with a sandbox that this process can observe. */
export class Cluster {
  private constructor(
    /** Names of the strategies. */
    readonly networks: readonly string[],
    private readonly instances: Instances,
    private readonly sandbox: Sandbox,
    readonly stop: () => Promise<void>,
  ) {}

  /** @param title - The title of the variant. */
  static async start(title: string): Promise<Cluster> {
    const { VARIANTS } = await load<typeof Variants>('variants.js');
    const { withCluster } = await load<typeof Infrastructures>('infrastructure.js');
    const { shareSandbox } = await load<typeof SharedSandboxes>('shared-sandbox.js');
    const { PEOPLE } = await load<typeof People>('people.js');
    const variant = VARIANTS.find((candidate) => candidate.title === title);
    if (!variant) throw new Error(`There is no variant "${title}".`);
    const [servers, sandbox] = await Promise.all([Servers.start(), startSandbox({ people: PEOPLE })]);
    const infrastructure = { servers, folder: servers.folder, sandbox: { shared: shareSandbox(sandbox) } };
    return new Promise((resolve, reject) => {
      const running = withCluster(infrastructure, variant, 2, async ({ instances }) => {
        await new Promise<void>((end) => {
          const stop = async () => {
            end();
            await running;
            await Promise.all([servers.stop(), sandbox.close()]);
          };
          resolve(new Cluster(variant.journey.networks, instances, sandbox, stop));
        });
      });
      running.catch(reject);
    });
  }

  /** Performs a login whose authorization response reaches both processes at the same moment. */
  async finishTwice(network: string): Promise<{ statuses: number[]; codes: number }> {
    const { Browser } = await load<typeof Browsers>('browser.js');
    const browser = new Browser();
    const [one, other] = this.instances.slots.map(({ port }) => `http://127.0.0.1:${port}`);
    const start = await browser.get(`${one}/api/auth/signin/${network}`);
    const consent = await browser.get(`${start.location}&auto=allow&person=person-1`);
    const { pathname, search } = new URL(consent.location);
    const before = this.codes();
    const pages = await Promise.all([one, other].map((url) => browser.get(`${url}${pathname}${search}`)));
    // The login example redirects to the profile.
    const statuses = pages.map(({ status }) => (status === 302 ? 200 : status));
    return { statuses, codes: this.codes() - before };
  }

  /** How many codes and verifiers the networks got. */
  private codes(): number {
    return this.sandbox.requests().filter(({ endpoint }) => CODE_ENDPOINTS.includes(endpoint)).length;
  }
}

const CODE_ENDPOINTS = ['token', 'access token'];
