import type { Clock } from './clock.js';
import { Credentials } from './grants.js';
import { picturePath } from './pages/picture.js';
import type { SandboxPerson } from './people.js';

/** What all networks of one sandbox share: its clock, its people, its address and its memory. */
export class World {
  /** Address of the sandbox, without a slash at its end; empty until it listens. */
  url = '';
  private readonly memory: { clear(): void }[] = [];

  constructor(
    readonly clock: Clock,
    readonly people: readonly SandboxPerson[],
  ) {}

  /** Makes a memory for codes, tokens or nonces of one kind, which a reset empties. */
  credentials<T>(): Credentials<T> {
    const credentials = new Credentials<T>(this.clock);
    this.memory.push(credentials);
    return credentials;
  }

  /** Forgets every code, token and nonce. */
  reset(): void {
    for (const credentials of this.memory) credentials.clear();
  }

  /** Address of a person's picture; `undefined` for somebody without one. */
  picture(person: SandboxPerson, pixels?: number): string | undefined {
    const path = picturePath(person, pixels);
    return path === undefined ? undefined : `${this.url}${path}`;
  }
}
