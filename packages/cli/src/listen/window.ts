/** Work in progress, in order of arrival. The cursor moves only up to where everything is done. */
export class Window {
  private readonly entries: { cursor: string; done: boolean }[] = [];
  private readonly size: number;
  private readonly onCursor: (cursor: string) => void;
  private readonly stop: AbortSignal;
  private underWay = 0;
  private wake = () => {};

  constructor(size: number, onCursor: (cursor: string) => void, stop: AbortSignal) {
    this.size = size;
    this.onCursor = onCursor;
    this.stop = stop;
    stop.addEventListener("abort", () => this.wake(), { once: true });
  }

  /** Adds a place without work, as after events that don't match. */
  pass(cursor: string): void {
    this.entries.push({ cursor, done: true });
    this.advance();
  }

  /** Starts work once there is room. Resolves when it has started, or never will: the cursor then stays before it. */
  async start(cursor: string, work: () => Promise<boolean>): Promise<void> {
    const entry = { cursor, done: false };
    this.entries.push(entry);
    while (this.underWay >= this.size && !this.stop.aborted) await this.change();
    if (this.stop.aborted) return;
    this.underWay++;
    void work().then((done) => {
      entry.done = done;
      this.underWay--;
      this.advance();
      this.wake();
    });
  }

  async idle(): Promise<void> {
    while (this.underWay > 0) await this.change();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private advance(): void {
    let last: string | null = null;
    while (this.entries[0]?.done) last = this.entries.shift()?.cursor ?? last;
    if (last !== null) this.onCursor(last);
  }
}
