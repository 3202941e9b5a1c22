import { MemoryStore, type SessionData } from 'express-session';

type Callback = (error?: unknown) => void;

/** A session store whose answers take a while, as those of a database do. */
export class SlowStore extends MemoryStore {
  /** The error with which every `set` ends from now on. */
  failure: Error | undefined;
  private readonly stored: () => void;

  /** @param stored - Called when a session has been written. */
  constructor(stored: () => void = () => {}) {
    super();
    this.stored = stored;
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    setTimeout(() => super.get(id, done), 5);
  }

  override set(id: string, session: SessionData, done?: Callback): void {
    // What is stored is what the session was when `set` was called.
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
