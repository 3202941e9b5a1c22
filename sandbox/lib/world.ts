import type { Clock } from './clock.js';
import { Credentials } from './grants.js';
import { picturePath } from './pages/picture.js';
import type { SandboxPerson } from './people.js';

/** How networks behave where they have a choice. */
export interface NetworkSettings {
  /** Whether VK ID's authorization response has one query parameter per value, or all of them in one JSON parameter, `payload`. */
  readonly vkIdCallback: VkIdCallback;
}

export type VkIdCallback = 'flat' | 'payload';

/** What the networks of one sandbox share: clock, people, URL and issued credentials. */
export class World {
  /** URL of the sandbox, without a slash at its end; empty until the sandbox listens. */
  url = '';
  private readonly issued: { clear(): void }[] = [];

  constructor(
    readonly clock: Clock,
    readonly people: readonly SandboxPerson[],
    readonly settings: NetworkSettings,
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

  /** URL of a person's picture; `undefined` when they have none. */
  picture(person: SandboxPerson, pixels?: number): string | undefined {
    const path = picturePath(person, pixels);
    return path === undefined ? undefined : `${this.url}${path}`;
  }
}
