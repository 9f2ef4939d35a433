/** Time after which a new source is known even when its notification was lost. Milliseconds. */
const FRESH_MS = 2000;
/** Shortest wait for the next try after a failure. Milliseconds. */
const RETRY_MS = 250;

/** Names of all sources: however many unknown names are requested, the database is asked once in 2 seconds. */
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

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** Makes the next `refresh` ask the database, and one in progress not count. */
  expire(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
    this.reading = null;
  }

  /** Resolves when the list is at most 2 seconds old; callers share a query. @throws its error, repeated for a moment */
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
