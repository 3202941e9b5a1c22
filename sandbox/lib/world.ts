import type { Application, SandboxOptions } from './clients.js';
import type { Clock } from './clock.js';
import { Credentials } from './grants.js';
import { picturePath } from './pages/picture.js';
import type { SandboxPerson } from './people.js';

/** How networks behave where they have a choice. */
export interface NetworkSettings {
  /** Whether VK ID's authorization response has one query parameter per value, or all of them in one JSON parameter, `payload`. */
  readonly vkIdCallback: VkIdCallback;
}

/** Forms of VK ID's authorization response. */
export const VK_ID_CALLBACKS = ['flat', 'payload'] as const;

export type VkIdCallback = (typeof VK_ID_CALLBACKS)[number];

/** What the networks of one sandbox share: clock, people, URL and issued credentials. */
export class World {
  /** URL of the sandbox, without a slash at its end; empty until the sandbox listens. */
  url = '';
  private readonly issued: { clear(): void }[] = [];

  constructor(
    readonly clock: Clock,
    readonly people: readonly SandboxPerson[],
    readonly settings: NetworkSettings,
    private readonly changed: ReadonlyMap<string, Partial<Application>> = new Map(),
  ) {}

  /** Creates a store for codes, tokens or nonces of one kind. A reset empties it. */
  credentials<T>(): Credentials<T> {
    const credentials = new Credentials<T>(this.clock);
    this.issued.push(credentials);
    return credentials;
  }

  /** Deletes every code, token and nonce. */
  reset(): void {
    for (const credentials of this.issued) credentials.clear();
  }

  /** The application as it is registered at this sandbox: the network's, with the changes of the settings. */
  registered<T extends Application>(known: T): T & Application {
    return { ...known, ...this.changed.get(known.id) };
  }

  /** A client's options at this sandbox, with the credentials that are registered. */
  options<T extends SandboxOptions>(client: { readonly options: (url: string) => T }): T {
    return this.withCredentials(client.options(this.url));
  }

  /** Replaces credentials of the network's folder by those that are registered. */
  withCredentials<T extends SandboxOptions>(options: T): T {
    const { id, secret, serviceToken } = this.changed.get(options.clientID) ?? {};
    return {
      ...options,
      ...(id !== undefined && { clientID: id }),
      ...(secret !== undefined && { clientSecret: secret }),
      ...(serviceToken !== undefined && 'serviceToken' in options && { serviceToken }),
    };
  }

  /** URL of a person's picture; `undefined` when they have none. */
  picture(person: SandboxPerson, pixels?: number): string | undefined {
    const path = picturePath(person, pixels);
    return path === undefined ? undefined : `${this.url}${path}`;
  }
}
