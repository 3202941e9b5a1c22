import { MemoryStore, type SessionData } from 'express-session';

type Callback = (error?: unknown) => void;

/** A session store that takes some time, like a database. */
export class SlowStore extends MemoryStore {
  /** If set, every `set` fails with this error. */
  failure: Error | undefined;
  private readonly stored: () => void;

  /** @param stored - Called after a session has been written. */
  constructor(stored: () => void = () => {}) {
    super();
    this.stored = stored;
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    setTimeout(() => super.get(id, done), 5);
  }

  override set(id: string, session: SessionData, done?: Callback): void {
    // Store the session as it was when `set` was called.
    const copy = JSON.parse(JSON.stringify(session)) as SessionData;
    setTimeout(() => {
      if (this.failure) return done?.(this.failure);
      super.set(id, copy, (error?: unknown) => {
        this.stored();
        done?.(error);
      });
      return undefined;
    }, 20);
  }
}
