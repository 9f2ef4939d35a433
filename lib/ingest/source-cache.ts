import { isSourceName } from "#lib/contracts/sources/templates";
import { logger } from "#lib/observability/logger";
import type { Clock } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";
import type { CommitHealth } from "./receiver-log.ts";
import type { ReceivingSource } from "./source-lookup-store.ts";

export type SourceLookup = { outcome: "found"; source: ReceivingSource } | { outcome: "unknown" } | { outcome: "unavailable" };

/** Age from which an entry is not used before the database was asked again. Milliseconds. */
const FRESH_MS = 5000;
/** Age from which an entry is read again in the background, so that requests rarely wait. Milliseconds. */
const REFRESH_AHEAD_MS = 2500;
/** Milliseconds of the 5 s in which every webhook is answered. */
const LOOKUP_TIMEOUT_MS = 1000;

type Entry = { source: ReceivingSource | null; readAt: number };

type Dependencies = {
  read: (name: string) => Promise<ReceivingSource | null>;
  listNames: () => Promise<string[]>;
  /** Calls back on each change of a source with its workspace, or empty. */
  onChange: (forget: (workspaceId: string) => void) => void;
  clock: Pick<Clock, "elapsed">;
  health: Pick<CommitHealth, "noteNotCommitted">;
};

/**
 * The receiver's cache of sources and opened secrets. Unknown names cost no query: all are in memory. A secret is used for 5 s at most
 * from its reading, then the source is unavailable until the database answers: a secret that was ended never verifies again.
 */
export class SourceCache {
  private readonly entries = new Map<string, Entry>();
  private readonly reading = new Map<string, Promise<SourceLookup>>();
  private readonly names: SourceNames;
  private readonly readSource: (name: string) => Promise<ReceivingSource | null>;
  private readonly clock: Dependencies["clock"];
  private readonly health: Dependencies["health"];

  constructor({ read, listNames, onChange, clock, health }: Dependencies) {
    this.readSource = read;
    this.clock = clock;
    this.health = health;
    this.names = new SourceNames(listNames, clock.elapsed);
    onChange((workspaceId) => this.forget(workspaceId));
  }

  isListed(name: string): boolean {
    return this.names.has(name);
  }

  refreshNames(): void {
    void this.names.refresh().catch(() => undefined);
  }

  /** Never throws. @param name as in `/webhooks/<name>` */
  async find(name: string): Promise<SourceLookup> {
    if (!isSourceName(name)) return { outcome: "unknown" };
    const entry = this.entries.get(name);
    const age = entry ? this.clock.elapsed() - entry.readAt : Number.POSITIVE_INFINITY;
    if (entry && age < REFRESH_AHEAD_MS) return lookupOf(entry.source);
    if (entry && age < FRESH_MS) {
      void this.readOnce(name);
      return lookupOf(entry.source);
    }
    return inTime(this.ask(name), LOOKUP_TIMEOUT_MS, (): SourceLookup => ({ outcome: "unavailable" }));
  }

  private async ask(name: string): Promise<SourceLookup> {
    if (this.names.has(name)) return this.readOnce(name);
    try {
      await this.names.refresh();
    } catch (error) {
      return this.unavailable(error);
    }
    return this.names.has(name) ? this.readOnce(name) : { outcome: "unknown" };
  }

  private readOnce(name: string): Promise<SourceLookup> {
    const under = this.reading.get(name);
    if (under) return under;
    const reading: Promise<SourceLookup> = this.read(name, () => this.reading.get(name) === reading);
    this.reading.set(name, reading);
    return reading;
  }

  /** @param isCurrent false after a notified change: the row being read may be older than the change */
  private async read(name: string, isCurrent: () => boolean): Promise<SourceLookup> {
    const readAt = this.clock.elapsed();
    try {
      const source = await this.readSource(name);
      if (isCurrent()) this.entries.set(name, { source, readAt });
      return lookupOf(source);
    } catch (error) {
      return this.unavailable(error);
    } finally {
      if (isCurrent()) this.reading.delete(name);
    }
  }

  private unavailable(error: unknown): SourceLookup {
    this.health.noteNotCommitted(error);
    logger().warn({ reason: (error as Error).message }, "can't read the sources");
    return { outcome: "unavailable" };
  }

  /** @param workspaceId whose sources changed; empty when that is not known */
  private forget(workspaceId: string): void {
    this.names.expire();
    this.reading.clear();
    for (const [name, { source }] of this.entries) {
      if (workspaceId === "" || source === null || source.workspaceId === workspaceId) this.entries.delete(name);
    }
  }
}

const lookupOf = (source: ReceivingSource | null): SourceLookup => (source ? { outcome: "found", source } : { outcome: "unknown" });

/** Time after which a new source is known even when its notification was lost. Milliseconds. */
const NAMES_FRESH_MS = 2000;
/** Shortest wait for the next try after a failure. Milliseconds. */
const RETRY_MS = 250;

/** Names of all sources: however many unknown names are requested, the database is asked once in 2 seconds. */
class SourceNames {
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
    if (this.clock() - this.readAt < NAMES_FRESH_MS) return;
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
