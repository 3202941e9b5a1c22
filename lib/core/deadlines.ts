/** One wait, and its neighbours among those of its {@link Deadlines}. */
export interface Wait {
  /** By the clock of `performance.now()`. */
  readonly end: number;
  readonly overdue: () => void;
  before: Wait | undefined;
  after: Wait | undefined;
}

/**
 * Waits that all may take equally long, watched by one timer: who begins first is due first. A timer of its own for each of the six
 * waits of a login cost a tenth of the login.
 */
export class Deadlines {
  /** Milliseconds. */
  private readonly length: number;
  // A chain, not a Set: a Set that many pass through leaves tables behind that keep all of them until the next full collection.
  private first: Wait | undefined;
  private last: Wait | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(length: number) {
    this.length = length;
  }

  /** @param overdue - Called when the wait has not been ended in time. */
  begin(overdue: () => void): Wait {
    const wait: Wait = { end: performance.now() + this.length, overdue, before: this.last, after: undefined };
    if (this.last) this.last.after = wait;
    else {
      this.first = wait;
      this.watch(wait, this.length);
    }
    this.last = wait;
    return wait;
  }

  /** Forgets a wait. Does nothing when it was forgotten or overdue before. */
  end(wait: Wait): void {
    const { before, after } = wait;
    if (!before && this.first !== wait) return;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    wait.before = undefined;
    wait.after = undefined;
    if (!this.first) clearTimeout(this.timer);
  }

  /** @param wait - The first. The timer stays when the wait ends and others follow. */
  private watch({ end }: Wait, length: number): void {
    this.timer = setTimeout(() => this.expire(end), length);
  }

  /** @param due - Who has to end by then is overdue, whatever the clock says: timers can be a little early. */
  private expire(due: number): void {
    const now = Math.max(due, performance.now());
    for (let wait = this.first; wait; wait = this.first) {
      if (wait.end > now) {
        this.watch(wait, wait.end - now);
        return;
      }
      this.end(wait);
      try {
        wait.overdue();
      } catch (error) {
        // An application's own agent may throw here. The others' time is up all the same.
        if (this.first) this.watch(this.first, Math.max(0, this.first.end - now));
        throw error;
      }
    }
  }
}
