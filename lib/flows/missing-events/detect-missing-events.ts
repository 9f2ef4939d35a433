import type pg from "pg";
import { type Contradiction, listContradictions } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewRecord } from "#lib/contracts/views";
import { notifySoon } from "#lib/db/notifications";
import { inTransaction, inTransactionByKey, pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import { findKnown, namedEventText } from "#lib/events/log/event-lookup-store";
import { receiverSilence } from "#lib/flows/outages/outages";
import { detectSilence, recordArrival } from "#lib/missing-events/cadence";
import {
  closeMissingEvents,
  type Evidence,
  keepEvidence,
  listEvidence,
  listSuspected,
  openDueMissingEvents,
  saveCandidates,
  type WorkspaceRuleResult,
} from "#lib/missing-events/missing-event-store";
import { evaluateRules, RULE_KINDS } from "#lib/missing-events/rules";
import {
  claimWatch,
  listCadences,
  type Picture,
  type RecentArrival,
  type SourceCadence,
  saveCadences,
  saveWatch,
  takeArrivals,
  type WatchPlace,
} from "#lib/missing-events/watch-store";
import { listAbsences } from "#lib/outages/outage-store";
import { eventSeconds } from "#lib/platform/event-time";
import { readLogPicture } from "#lib/processing/backlog-store";
import { systemClock } from "#lib/time/clock";
import { listTaskMoves } from "#lib/views/pipeline-store";
import { type ChangeCursor, findView, listChangedViews } from "#lib/views/view-store";

const BATCH = 500;
/** Limits a round to 10,000 changed views; the rest waits for the next. */
const BATCHES = 20;

/** Runs a round in all workspaces, by one worker at a time: evaluates what changed, and shows what has waited long enough. None is shown
 * by a moment to which the log is not applied and examined (docs/decisions/0017). */
export async function detectMissingEvents(at?: Date): Promise<number> {
  const { looked, touched } = await inTransactionByKey(async (client) => {
    const place = await claimWatch(client);
    if (!place) return { looked: 0, touched: [] };
    const log = await readLogPicture(client);
    // The earlier of two clocks: the database's may be a day ahead for a moment, and what is opened too early is false.
    const now = at ?? new Date(Math.min(log.at.getTime(), systemClock.now()));
    const views = await evaluateChangedViews(client, place, now);
    const sources = await evaluateSources(client, now);
    const small = await withKnownEvidence(client, [...(await suspectConnections(now)), ...sources.silent]);
    const closed = await updateSuspected(client, small, now);
    // Everything below the place of the watch was examined, however much has changed since.
    const seen = views.more ? views.cursor.xid : views.settled;
    const waiting = Object.fromEntries(log.waiting.map(({ workspaceId, since }) => [workspaceId, since.toISOString()]));
    const { confirmed, pending } = confirm([{ at: now.toISOString(), position: log.position, waiting }, place.picture], seen);
    // A source whose arrivals are not all noted may have sent; records are not concerned.
    const opened = confirmed ? await openDueMissingEvents(client, confirmed, sources.more ? ["source_silent"] : []) : [];
    await saveWatch(client, { ...views.cursor, picture: pending });
    return { looked: views.looked, touched: [...views.closed, ...closed, ...opened] };
  });
  for (const workspaceId of new Set(touched)) notifySoon(pool("worker"), "applied", workspaceId);
  return looked;
}

/** Returns the newest picture (of those given newest first) that the watch has caught up with, and the oldest that it has not:
 * a later one doesn't replace one that waits. @param seen all changes below this position were examined */
function confirm(pictures: (Picture | null)[], seen: string): { confirmed: Picture | null; pending: Picture | null } {
  const taken = pictures.flatMap((picture) => picture ?? []);
  const isSeen = ({ position }: Picture) => BigInt(position) <= BigInt(seen);
  return { confirmed: taken.find(isSeen) ?? null, pending: taken.findLast((picture) => !isSeen(picture)) ?? null };
}

async function evaluateChangedViews(client: pg.ClientBase, place: WatchPlace, now: Date) {
  const closed: WorkspaceId[] = [];
  let cursor: ChangeCursor = { xid: place.xid, key: place.key };
  let [looked, more, settled] = [0, true, "0"];
  for (let batch = 0; more && batch < BATCHES; batch += 1) {
    const page = await listChangedViews(client, [...RULE_KINDS], cursor, BATCH);
    const results = await withKnownEvidence(client, await evaluate(page.changed));
    await saveCandidates(client, results, now);
    closed.push(...(await closeMissingEvents(client, results, now)));
    ({ cursor, more, settled } = page);
    looked += page.changed.length;
  }
  return { closed, looked, cursor, more, settled };
}

async function evaluate(changed: { workspaceId: WorkspaceId; record: ViewRecord }[]): Promise<WorkspaceRuleResult[]> {
  const results: WorkspaceRuleResult[] = [];
  for (const workspaceId of new Set(changed.map((each) => each.workspaceId))) {
    const records = changed.filter((each) => each.workspaceId === workspaceId).map(({ record }) => record);
    const taskIds = records.filter(({ kind }) => kind === "task").map(({ id }) => id);
    const moves = await listTaskMoves(workspaceId, taskIds);
    for (const record of records)
      results.push(...evaluateRules(record, moves.get(record.id) ?? []).map((result) => ({ ...result, workspaceId })));
  }
  return results;
}

/** Notes what is suspected now and closes what no longer is: these rules examine everything each time. */
async function updateSuspected(client: pg.ClientBase, suspected: WorkspaceRuleResult[], now: Date): Promise<WorkspaceId[]> {
  const keyOf = ({ workspaceId, rule, resource }: WorkspaceRuleResult) => `${workspaceId} ${rule} ${resource.id}`;
  const keys = new Set(suspected.filter(({ candidate }) => candidate !== null).map(keyOf));
  const open = await listSuspected(client, ["disconnected_yet_working", "source_silent"]);
  await saveCandidates(client, suspected, now);
  const gone = open.filter((each) => !keys.has(keyOf(each)));
  return closeMissingEvents(client, gone, now);
}

/** Finds connections that still work although the platform reported their end. */
async function suspectConnections(now: Date): Promise<WorkspaceRuleResult[]> {
  const suspected: WorkspaceRuleResult[] = [];
  for (const contradiction of await listContradictions()) {
    const { workspaceId, connectionId, eventId, toldAt } = contradiction;
    if (await isRefuted(contradiction)) continue;
    const candidate = { evidence: [eventId], detail: "", since: Math.min(toldAt.getTime(), now.getTime()), patienceMs: 0 };
    suspected.push({ workspaceId, rule: "disconnected_yet_working", resource: { kind: "connection", id: connectionId }, candidate });
  }
  return suspected;
}

/** True if a later event gave the integration another state, or it isn't known to be ours: most link the platform to third parties. */
async function isRefuted({ workspaceId, eventId, account, integrationId }: Contradiction): Promise<boolean> {
  const event = await findEvent(workspaceId, eventId);
  const integration = event?.summary.resources.find(({ kind }) => kind === "integration");
  if (!integration) return false;
  const record = await findView(workspaceId, "integration", integration.id);
  const named = record?.fields.account?.value;
  if (integration.id !== integrationId && (named === undefined || named !== account)) return true;
  return record !== null && record.fields.state?.eventId !== eventId;
}

const ARRIVALS_PER_WORKSPACE = 2000;
/** Of all workspaces together: what one statement reads is held in memory. */
const ARRIVALS = 20_000;
/** Limits a round to 20,000 arrivals of a workspace; the rest waits for the next. */
const ARRIVAL_BATCHES = 10;

/** Records arrivals and returns the silent sources. `more`: arrivals are left for the next round. */
async function evaluateSources(client: pg.ClientBase, now: Date): Promise<{ silent: WorkspaceRuleResult[]; more: boolean }> {
  const cadences = new Map<string, SourceCadence>((await listCadences(client)).map((cadence) => [cadence.sourceId, cadence]));
  const changed = new Map<string, SourceCadence>();
  let more = true;
  for (let batch = 0; more && batch < ARRIVAL_BATCHES; batch += 1) {
    const page = await takeArrivals(client, ARRIVALS_PER_WORKSPACE, ARRIVALS);
    for (const cadence of recordArrivals(cadences, page.arrivals)) {
      cadences.set(cadence.sourceId, cadence);
      changed.set(cadence.sourceId, cadence);
    }
    ({ more } = page);
  }
  await saveCadences(client, [...changed.values()]);
  return { silent: await listSilent([...cadences.values()], now), more };
}

/** A shorter absence of the receiver is a restart. */
const NOTABLE_AWAY_MS = 60_000;

/** Lists the silent sources. The time in which nothing here received is no silence of theirs. */
async function listSilent(cadences: SourceCadence[], now: Date): Promise<WorkspaceRuleResult[]> {
  const suspected = cadences.filter((cadence) => silentSource(cadence, now) !== null);
  if (suspected.length === 0) return [];
  const away = await listAway(Math.min(...suspected.map(({ lastReceivedAt }) => lastReceivedAt)), now);
  return suspected.flatMap((cadence) => {
    const awayMs = away.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, cadence.lastReceivedAt)), 0);
    return silentSource(cadence, new Date(now.getTime() - awayMs)) ?? [];
  });
}

async function listAway(since: number, now: Date): Promise<{ from: number; to: number }[]> {
  const [absences, silentMs] = [await listAbsences(new Date(since)), (await receiverSilence()) ?? 0];
  return [...absences, { from: new Date(now.getTime() - silentMs), to: now }]
    .map(({ from, to }) => ({ from: from.getTime(), to: Math.min(to.getTime(), now.getTime()) }))
    .filter(({ from, to }) => to - from >= NOTABLE_AWAY_MS);
}

function recordArrivals(cadences: Map<string, SourceCadence>, arrivals: RecentArrival[]): SourceCadence[] {
  return [...Map.groupBy(arrivals, ({ sourceId }) => sourceId)].flatMap(([sourceId, events]) => {
    const believed = events.map(({ eventId, created, receivedAt }) => ({
      eventId,
      created: eventSeconds(created, receivedAt),
      receivedAt: receivedAt.getTime(),
    }));
    const cadence = recordArrival(cadences.get(sourceId) ?? null, believed);
    const [first] = events;
    const receives = cadences.get(sourceId)?.receives ?? true;
    return first && cadence ? [{ ...cadence, sourceId, workspaceId: first.workspaceId, receives }] : [];
  });
}

function silentSource(cadence: SourceCadence, now: Date): WorkspaceRuleResult | null {
  const silence = cadence.receives ? detectSilence(cadence, now.getTime()) : null;
  if (!silence) return null;
  const candidate = { evidence: [cadence.lastEventId], detail: cadenceLabel(silence.usualSeconds), since: silence.since, patienceMs: 0 };
  return { workspaceId: cadence.workspaceId, rule: "source_silent", resource: { kind: "source", id: cadence.sourceId }, candidate };
}

const cadenceLabel = (seconds: number) =>
  `Its latest events arrived about ${seconds < 120 ? `${Math.max(1, seconds)} seconds` : `${Math.round(seconds / 60)} minutes`} apart.`;

const CHECKED_AT_ONCE = 1000;

/** Keeps the evidence that the log still has. A candidate without any is dropped, because it can't be checked. */
async function withKnownEvidence(client: pg.ClientBase, results: WorkspaceRuleResult[]): Promise<WorkspaceRuleResult[]> {
  const named = results.flatMap(({ workspaceId, candidate }) => (candidate?.evidence ?? []).map((eventId) => ({ workspaceId, eventId })));
  const known = await findKnown(client, named);
  return results.map((result) => {
    if (!result.candidate) return result;
    const { workspaceId, candidate } = result;
    const evidence = candidate.evidence.filter((eventId) => known.has(namedEventText({ workspaceId, eventId })));
    return { ...result, candidate: evidence.length > 0 ? { ...candidate, evidence } : null };
  });
}

/** Removes events that have left the log from the evidence, and closes missing events without any other. */
export async function closeWithoutEvidence(): Promise<void> {
  let after: string | null = "";
  while (after !== null) after = await closeNext(after);
}

function closeNext(after: string): Promise<string | null> {
  return inTransaction(pool("worker"), async (client) => {
    const rows = await listEvidence(client, after, CHECKED_AT_ONCE);
    const events = rows.flatMap(({ workspaceId, evidence }) => evidence.map((eventId) => ({ workspaceId, eventId })));
    const known = await findKnown(client, events);
    const left = ({ workspaceId, evidence }: Evidence) => evidence.filter((eventId) => known.has(namedEventText({ workspaceId, eventId })));
    const changed = rows.flatMap((row) => (left(row).length < row.evidence.length ? [{ ...row, evidence: left(row) }] : []));
    await keepEvidence(client, changed);
    for (const workspaceId of new Set(changed.map((row) => row.workspaceId))) notifySoon(pool("worker"), "applied", workspaceId);
    return rows.at(-1)?.id ?? null;
  });
}
