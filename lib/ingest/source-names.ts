/** A source that another process made is served after this long even when its notification was lost. Milliseconds. */
const FRESH_MS = 2000;
/** After a failure the database is asked again no sooner than this. Milliseconds. */
const RETRY_MS = 250;

/**
 * The names of all sources of the installation, in memory. However many unknown
 * names unknown senders ask for, the database is asked once in 2 seconds.
 */
export class SourceNames {
  private names: ReadonlySet<string> = new Set();
  private readAt = Number.NEGATIVE_INFINITY;
  private failure: { at: number; error: unknown } | null = null;
  private reading: Promise<void> | null = null;
  private readonly list: () => Promise<string[]>;
  private readonly clock: () => number;

  constructor(list: () => Promise<string[]>, clock: () => number) {
    this.list = list;
    this.clock = clock;
  }

  /** True when the list as last read has the name. */
  has(name: string): boolean {
    return this.names.has(name);
  }

  /** Makes the next `refresh` ask the database, and one that is under way not count. */
  expire(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
    this.reading = null;
  }

  /**
   * Resolves when the list is no older than 2 seconds; callers share a query.
   *
   * @throws whatever the query failed with, also for a moment after it failed
   */
  async refresh(): Promise<void> {
    if (this.clock() - this.readAt < FRESH_MS) return;
    if (this.failure && this.clock() - this.failure.at < RETRY_MS) throw this.failure.error;
    this.reading ??= this.start();
    await this.reading;
  }

  private start(): Promise<void> {
    const startedAt = this.clock();
    const reading: Promise<void> = this.list().then(
      async (names) => {
        if (this.reading !== reading) return this.refresh(); // a source changed meanwhile
        this.names = new Set(names);
        this.readAt = startedAt;
        this.failure = null;
        this.reading = null;
      },
      (error: unknown) => {
        this.failure = { at: this.clock(), error };
        if (this.reading === reading) this.reading = null;
        throw error;
      },
    );
    return reading;
  }
}
