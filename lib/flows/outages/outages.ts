import type { Context } from "#lib/auth/audit/audit";
import { once } from "#lib/context/once";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import type { Outage, OutageSource } from "#lib/contracts/outages";
import { Cursor } from "#lib/db/cursor";
import { inTransaction, pool } from "#lib/db/pool";
import { countLateArrivals, findArrivalAge, type LateArrivals } from "#lib/events/source-arrival-store";
import {
  countBySource,
  findDismissal,
  findReceiverSilence,
  KEEP_DAYS,
  listAbsences,
  listOutageMinutes,
  noteRun,
  type OutageWindow,
  type ReceiverRun,
  type SourceCount,
  saveDismissal,
  windowsOf,
} from "#lib/outages/outage-store";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { listSources, type StoredSource } from "#lib/sources/source-store";
import { type Clock, systemClock } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Sources and windows of a page whose later arrivals are counted, the newest windows first. */
const MAX_COUNTED = 40;

const cursors = new Cursor("outages", { from: "time" });

/** Lists when webhooks may have been lost through us, and what the senders do then. */
export async function listOutages(workspaceId: WorkspaceId, { limit, cursor }: Paging, now: Date): Promise<Page<Outage>> {
  const before = cursors.decode(cursor)?.from.getTime() ?? Number.POSITIVE_INFINITY;
  const [sources, windows, dismissedUntil] = await Promise.all([
    listSources(workspaceId),
    readWindows(workspaceId, new Date(now.getTime() - KEEP_DAYS * DAY_MS)),
    findDismissal(workspaceId),
  ]);
  const rows = windows.filter((window) => window.from < before && concerns(window, sources)).slice(0, limit + 1);
  const page = rows.slice(0, limit);
  const affected = affectedOf(page, sources, await countBySource(workspaceId, page));
  const arrived = await countArrived(workspaceId, affected, now);
  const data = page.map(({ from, to, ...counts }, index): Outage => {
    const own = affected.filter(({ window }) => window === page[index]);
    return {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      ...counts,
      dismissed: dismissedUntil !== null && to <= dismissedUntil.getTime(),
      sources: own.map((each) => outageSource(each, arrived.get(each) ?? null)),
    };
  });
  const ends = rows.map(({ from }) => ({ from: new Date(from) }));
  return { data, nextCursor: cursors.next(ends, limit) };
}

/** Undismissed outages of the last 24 hours: requests answered 503, and the time in which nothing ran. */
export type RecentOutage = { unavailable: number; awayMs: number };

/** A shorter absence is a restart. */
const NOTABLE_AWAY_MS = 60_000;

export async function readRecentOutage(workspaceId: WorkspaceId, now: Date): Promise<RecentOutage> {
  const [sources, windows, dismissedUntil] = await Promise.all([
    listSources(workspaceId),
    readWindows(workspaceId, new Date(now.getTime() - DAY_MS)),
    findDismissal(workspaceId),
  ]);
  const open = windows.filter((window) => window.to > (dismissedUntil?.getTime() ?? 0) && concerns(window, sources));
  const away = open.reduce((sum, { awayMs }) => sum + (awayMs >= NOTABLE_AWAY_MS ? awayMs : 0), 0);
  return { unavailable: open.reduce((sum, { unavailable }) => sum + unavailable, 0), awayMs: away };
}

const readWindows = async (workspaceId: WorkspaceId, since: Date): Promise<OutageWindow[]> =>
  windowsOf(...(await Promise.all([listOutageMinutes(workspaceId, since), listAbsences(since)])));

/** True if the workspace had a source that could receive in the window. */
const concerns = (window: OutageWindow, sources: readonly StoredSource[]): boolean =>
  window.unavailable + window.limited > 0 || sources.some((source) => received(source, window));

const received = ({ createdAt, archivedAt }: StoredSource, { from, to }: OutageWindow): boolean =>
  createdAt.getTime() < to && (archivedAt === null || archivedAt.getTime() > from);

type Affected = { window: OutageWindow; source: StoredSource; unavailable: number; limited: number };

/** Lists the sources that were answered 503 or 429, and all while no receiver ran. */
function affectedOf(page: readonly OutageWindow[], sources: readonly StoredSource[], counts: readonly SourceCount[]): Affected[] {
  return page.flatMap((window, index) =>
    sources.flatMap((source): Affected[] => {
      const count = counts.find((each) => each.window === index && each.sourceId === source.id);
      if (count === undefined && !(window.awayMs > 0 && received(source, window))) return [];
      return [{ window, source, unavailable: count?.unavailable ?? 0, limited: count?.limited ?? 0 }];
    }),
  );
}

/** Counts later arrivals, of senders that retry and whose events have a time. */
async function countArrived(workspaceId: WorkspaceId, affected: readonly Affected[], now: Date): Promise<Map<Affected, number>> {
  const counted = affected.filter(({ source }) => TEMPLATES[source.template].retryHours !== 0 && hasTime(source)).slice(0, MAX_COUNTED);
  const asked = counted.map(({ source, window: { from, to } }): LateArrivals => {
    const hours = TEMPLATES[source.template].retryHours ?? 24;
    return { sourceId: source.id, from, to, until: Math.min(now.getTime() + 1, to + hours * HOUR_MS) };
  });
  const counts = await countLateArrivals(workspaceId, asked);
  return new Map(counted.flatMap((each, index) => (counts?.[index] === undefined ? [] : [[each, counts[index]] as const])));
}

/** False where an event has the time of its receipt. */
const hasTime = ({ template, reading }: StoredSource): boolean => {
  const places = reading ?? TEMPLATES[template].reading;
  return places === null || places.created !== undefined;
};

function outageSource({ window, source, unavailable, limited }: Affected, arrivedSince: number | null): OutageSource {
  const { title, retries, retryHours, docsUrl } = TEMPLATES[source.template];
  return {
    ...{ id: source.id, name: source.name, template: source.template, sender: title, unavailable, limited, retries, docsUrl, arrivedSince },
    retryHours: retryHours ?? null,
    retriesUntil: retryHours === undefined ? null : new Date(window.to + retryHours * HOUR_MS).toISOString(),
  };
}

const MINUTE_MS = 60_000;

/** Dismisses the outages that ended by then: the overview shows them no more. */
export async function dismissOutages({ workspaceId, now, audit }: Context, until: Date): Promise<void> {
  const ended = new Date(Math.min(until.getTime(), now.getTime() + MINUTE_MS));
  await inTransaction(pool(), async (client) => {
    if (!(await saveDismissal(client, workspaceId, ended))) return audit.unchanged();
    const target = { kind: "outages", id: ended.toISOString(), name: "Outages" };
    await audit.record({ action: "outages.dismissed", target, after: { until: ended.toISOString() } }, client);
  });
}

export const PRESENCE_MS = 5000;
/** A process silent for longer did not receive either: it was stopped, or its machine slept. */
const FROZEN_MS = 30_000;
/** Limit of the write: while the database is unavailable nothing is noted, and 503 answers are counted instead. */
const WRITE_MS = 5000;

type Dependencies = { write: (run: ReceiverRun) => Promise<void>; clock: Pick<Clock, "now"> };

/** Notes for how long this process has received, so that the times in which none did are known. */
export class ReceiverPresence {
  private readonly write: Dependencies["write"];
  private readonly clock: Dependencies["clock"];
  private run: { id: string; startedAt: number; beatAt: number };

  constructor({ write, clock }: Dependencies) {
    this.write = write;
    this.clock = clock;
    this.run = this.start();
  }

  /** Never throws. */
  async beat(): Promise<void> {
    if (this.clock.now() - this.run.beatAt > FROZEN_MS) this.run = this.start();
    const now = this.clock.now();
    this.run.beatAt = now;
    const { id, startedAt } = this.run;
    await inTime(
      this.write({ id, startedMsAgo: Math.max(0, now - startedAt) }).catch(() => undefined),
      WRITE_MS,
      () => undefined,
    );
  }

  private start() {
    const now = this.clock.now();
    return { id: newId("run"), startedAt: now, beatAt: now };
  }
}

export const receiverPresence = (): ReceiverPresence =>
  once("receiver-presence", () => new ReceiverPresence({ write: noteRun, clock: systemClock }));

/** An event may have come in between two signs of the receiver that took it, and is noted to within half a minute. */
const AFTER_LAST_SIGN_MS = 60_000;

/**
 * Returns for how long no receiver has been seen, in milliseconds; null where that is not known: none ever said that it runs, or events came
 * after the last sign, as on hosts that run the build with Next alone.
 */
export async function receiverSilence(): Promise<number | null> {
  const [silentMs, arrivedMs] = await Promise.all([findReceiverSilence(), findArrivalAge()]);
  return silentMs === null || (arrivedMs !== null && arrivedMs < silentMs - AFTER_LAST_SIGN_MS) ? null : silentMs;
}
