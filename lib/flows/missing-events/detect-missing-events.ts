import type pg from "pg";
import { type Contradiction, listContradictions } from "#lib/connections/contradiction-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewRecord } from "#lib/contracts/views";
import { notifySoon } from "#lib/db/notify/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import { detectSilence, recordArrival } from "#lib/missing-events/cadence";
import { listCadences, type SourceCadence, saveCadences } from "#lib/missing-events/cadence-store";
import {
  closeMissingEvents,
  listSuspected,
  openDueMissingEvents,
  saveCandidates,
  type WorkspaceRuleResult,
} from "#lib/missing-events/missing-event-store";
import { listArrivalsSince } from "#lib/missing-events/recent-arrival-store";
import { evaluateRules, RULE_KINDS } from "#lib/missing-events/rules";
import { claimWatch, saveWatch, type WatchPlace } from "#lib/missing-events/watch-store";
import { eventSeconds } from "#lib/platform/event-time";
import { listChangedViews } from "#lib/views/changed-view-store";
import { listTaskMoves } from "#lib/views/task-move-store";
import { findView } from "#lib/views/view-store";

const BATCH = 500;
/** One round looks at no more than 10,000 changed views; what is left waits for the next. */
const BATCHES = 20;
const ARRIVALS_PER_WORKSPACE = 2000;

/**
 * One round of detecting missing events, in all workspaces: evaluates what
 * changed since the last round, and shows what has waited long enough. The log
 * itself is never read through. One worker watches at a time.
 *
 * @returns how many views it looked at
 */
export async function detectMissingEvents(now = new Date()): Promise<number> {
  const { looked, touched } = await inTransaction(pool("worker"), async (client) => {
    const place = await claimWatch(client);
    if (!place) return { looked: 0, touched: [] };
    const views = await evaluateChangedViews(client, place, now);
    const sources = await evaluateSources(client, place.arrivalsUntil, now);
    const small = [...(await suspectConnections(now)), ...sources.silent];
    const closed = await updateSuspected(client, small, now);
    const opened = await openDueMissingEvents(client, now);
    await saveWatch(client, { ...views.place, arrivalsUntil: sources.until });
    return { looked: views.looked, touched: [...views.closed, ...closed, ...opened] };
  });
  for (const workspaceId of new Set(touched)) notifySoon(pool("worker"), "applied", workspaceId);
  return looked;
}

async function evaluateChangedViews(client: pg.ClientBase, place: WatchPlace, now: Date) {
  const closed: WorkspaceId[] = [];
  let cursor: { updatedAt: Date; viewId: string } = place;
  let looked = 0;
  for (let batch = 0, more = true; more && batch < BATCHES; batch += 1) {
    const page = await listChangedViews([...RULE_KINDS], cursor, BATCH);
    const results = await evaluate(page.changed);
    await saveCandidates(client, results, now);
    closed.push(...(await closeMissingEvents(client, results, now)));
    ({ cursor, more } = page);
    looked += page.changed.length;
  }
  return { closed, looked, place: { ...place, ...cursor } };
}

async function evaluate(changed: { workspaceId: WorkspaceId; record: ViewRecord }[]): Promise<WorkspaceRuleResult[]> {
  const results: WorkspaceRuleResult[] = [];
  for (const workspaceId of new Set(changed.map((each) => each.workspaceId))) {
    const records = changed.filter((each) => each.workspaceId === workspaceId).map(({ record }) => record);
    const moves = await listTaskMoves(
      workspaceId,
      records.filter(({ kind }) => kind === "task").map(({ id }) => id),
    );
    for (const record of records)
      results.push(...evaluateRules(record, moves.get(record.id) ?? []).map((result) => ({ ...result, workspaceId })));
  }
  return results;
}

/** Rules that look at all there is of a small thing: what is in doubt is noted, what stood and is in doubt no longer is closed. */
async function updateSuspected(client: pg.ClientBase, suspected: WorkspaceRuleResult[], now: Date): Promise<WorkspaceId[]> {
  const keyOf = ({ workspaceId, rule, resource }: WorkspaceRuleResult) => `${workspaceId} ${rule} ${resource.id}`;
  const keys = new Set(suspected.map(keyOf));
  const open = await listSuspected(client, ["disconnected_yet_working", "source_silent"]);
  await saveCandidates(client, suspected, now);
  return closeMissingEvents(
    client,
    open.filter((each) => !keys.has(keyOf(each))),
    now,
  );
}

/** Connections that the platform said it ended and that still work; not those whose integration it has named since. */
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

/**
 * Whether the event says nothing against the connection after all: a later event has given the integration another
 * state, or the integration is not known to be ours. Most are links of the platform to third parties, such as a file
 * store: one that names neither our account nor our ID ended something else.
 */
async function isRefuted({ workspaceId, eventId, account, integrationId }: Contradiction): Promise<boolean> {
  const event = await findEvent(workspaceId, eventId);
  const integration = event?.summary.resources.find(({ kind }) => kind === "integration");
  if (!integration) return false;
  const record = await findView(workspaceId, "integration", integration.id);
  const named = record?.fields.account?.value;
  if (integration.id !== integrationId && (named === undefined || named !== account)) return true;
  return record !== null && record.fields.state?.eventId !== eventId;
}

/** Records which sources sent since the last round, and returns those silent against their usual cadence. */
async function evaluateSources(client: pg.ClientBase, since: Date, now: Date): Promise<{ until: Date; silent: WorkspaceRuleResult[] }> {
  const arrivals = await listArrivalsSince(since, ARRIVALS_PER_WORKSPACE);
  const cadences = new Map((await listCadences(client)).map((cadence) => [cadence.sourceId, cadence]));
  const changed = new Map<string, SourceCadence>();
  for (const sourceId of new Set(arrivals.map((event) => event.sourceId))) {
    const events = arrivals.filter((event) => event.sourceId === sourceId);
    const [first] = events;
    const believed = events.map(({ eventId, created, receivedAt }) => ({
      eventId,
      created: eventSeconds(created, receivedAt),
      receivedAt: receivedAt.getTime(),
    }));
    const cadence = recordArrival(cadences.get(sourceId) ?? null, believed);
    if (first && cadence) changed.set(sourceId, { ...cadence, sourceId, workspaceId: first.workspaceId });
  }
  await saveCadences(client, [...changed.values()]);
  for (const cadence of changed.values()) cadences.set(cadence.sourceId, cadence);
  const until = arrivals.reduce((latest, { receivedAt }) => (receivedAt > latest ? receivedAt : latest), since);
  return { until, silent: [...cadences.values()].flatMap((cadence) => silentSource(cadence, now) ?? []) };
}

function silentSource(cadence: SourceCadence, now: Date): WorkspaceRuleResult | null {
  const silence = detectSilence(cadence, now.getTime());
  if (!silence) return null;
  const candidate = { evidence: [cadence.lastEventId], detail: cadenceLabel(silence.usualSeconds), since: silence.since, patienceMs: 0 };
  return { workspaceId: cadence.workspaceId, rule: "source_silent", resource: { kind: "source", id: cadence.sourceId }, candidate };
}

const cadenceLabel = (seconds: number) =>
  `Its last events arrived about ${seconds < 120 ? `${Math.max(1, seconds)} seconds` : `${Math.round(seconds / 60)} minutes`} apart.`;
