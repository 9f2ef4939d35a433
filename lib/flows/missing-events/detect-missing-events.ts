import type pg from "pg";
import { type Contradiction, listContradictions } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewRecord } from "#lib/contracts/views";
import { notifySoon } from "#lib/db/notify/notify";
import { inTransactionByKey, pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import {
  closeMissingEvents,
  listSuspected,
  openDueMissingEvents,
  saveCandidates,
  type WorkspaceRuleResult,
} from "#lib/missing-events/missing-event-store";
import { evaluateRules, RULE_KINDS } from "#lib/missing-events/rules";
import { claimWatch, type Picture, saveWatch, type WatchPlace } from "#lib/missing-events/watch-store";
import { readLogPicture } from "#lib/processing/log/due-log-store";
import { type ChangeCursor, listChangedViews } from "#lib/views/changed-view-store";
import { listTaskMoves } from "#lib/views/task-move-store";
import { findView } from "#lib/views/view-store";
import { evaluateSources } from "./evaluate-sources.ts";
import { withKnownEvidence } from "./without-evidence.ts";

const BATCH = 500;
/** Limits a round to 10,000 changed views; the rest waits for the next. */
const BATCHES = 20;

/** Runs a round in all workspaces, by one worker at a time: evaluates what changed, and shows what has waited long enough. None is shown
 * by a moment to which the log is not applied and examined (docs/decisions/0017). */
export async function detectMissingEvents(at?: Date): Promise<number> {
  const { looked, touched } = await inTransactionByKey(pool("worker"), async (client) => {
    const place = await claimWatch(client);
    if (!place) return { looked: 0, touched: [] };
    const log = await readLogPicture(client);
    const now = at ?? log.at;
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
    const moves = await listTaskMoves(
      workspaceId,
      records.filter(({ kind }) => kind === "task").map(({ id }) => id),
    );
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
  return closeMissingEvents(
    client,
    open.filter((each) => !keys.has(keyOf(each))),
    now,
  );
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
