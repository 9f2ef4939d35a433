import type pg from "pg";
import { listContradictions } from "#lib/connections/contradiction-store";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewRecord } from "#lib/contracts/views";
import { notifySoon } from "#lib/db/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import { listHeardSince } from "#lib/events/heard-event-store";
import { closeFindings, type Judged, listStanding, noteSuspicions, openDueFindings } from "#lib/findings/finding-store";
import { hear, silenceOf } from "#lib/findings/pace";
import { listPaces, type SourcePace, savePaces } from "#lib/findings/pace-store";
import { JUDGED_KINDS, judgeView } from "#lib/findings/rules";
import { claimWatch, saveWatch, type WatchPlace } from "#lib/findings/watch-store";
import { listChangedViews } from "#lib/views/changed-view-store";
import { listTaskMoves } from "#lib/views/task-move-store";
import { findView } from "#lib/views/view-store";

const BATCH = 500;
/** One round looks at no more than 10,000 changed views; what is left waits for the next. */
const BATCHES = 20;
const HEARD_A_WORKSPACE = 2000;

/**
 * One round of the watch for what never came, in all workspaces: judges what
 * changed since the last round, and shows what has waited long enough. The log
 * itself is never read through. One worker watches at a time.
 *
 * @returns how many views it looked at
 */
export async function watchFindings(now = new Date()): Promise<number> {
  const { looked, touched } = await inTransaction(pool("worker"), async (client) => {
    const place = await claimWatch(client);
    if (!place) return { looked: 0, touched: [] };
    const views = await judgeChangedViews(client, place, now);
    const heardAt = await judgeSources(client, place.heardAt, now);
    const small = [...(await connectionsInDoubt(now)), ...heardAt.silent];
    const closed = await settleStanding(client, small, now);
    const opened = await openDueFindings(client, now);
    await saveWatch(client, { ...views.place, heardAt: heardAt.until });
    return { looked: views.looked, touched: [...views.closed, ...closed, ...opened] };
  });
  for (const workspaceId of new Set(touched)) notifySoon(pool("worker"), "applied", workspaceId);
  return looked;
}

async function judgeChangedViews(client: pg.ClientBase, place: WatchPlace, now: Date) {
  const closed: WorkspaceId[] = [];
  let cursor: { updatedAt: Date; viewId: string } = place;
  let looked = 0;
  for (let batch = 0, more = true; more && batch < BATCHES; batch += 1) {
    const page = await listChangedViews([...JUDGED_KINDS], cursor, BATCH);
    const judged = await judge(page.changed);
    await noteSuspicions(client, judged, now);
    closed.push(...(await closeFindings(client, judged, now)));
    ({ cursor, more } = page);
    looked += page.changed.length;
  }
  return { closed, looked, place: { ...place, ...cursor } };
}

async function judge(changed: { workspaceId: WorkspaceId; record: ViewRecord }[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const workspaceId of new Set(changed.map((each) => each.workspaceId))) {
    const records = changed.filter((each) => each.workspaceId === workspaceId).map(({ record }) => record);
    const moves = await listTaskMoves(
      workspaceId,
      records.filter(({ kind }) => kind === "task").map(({ id }) => id),
    );
    for (const record of records)
      judged.push(...judgeView(record, moves.get(record.id) ?? []).map((judgement) => ({ ...judgement, workspaceId })));
  }
  return judged;
}

/** Rules that look at all there is of a small thing: what is in doubt is noted, what stood and is in doubt no longer is closed. */
async function settleStanding(client: pg.ClientBase, doubted: Judged[], now: Date): Promise<WorkspaceId[]> {
  const keyOf = ({ workspaceId, rule, resource }: Judged) => `${workspaceId} ${rule} ${resource.id}`;
  const keys = new Set(doubted.map(keyOf));
  const standing = await listStanding(client, ["disconnected_yet_working", "source_silent"]);
  await noteSuspicions(client, doubted, now);
  return closeFindings(
    client,
    standing.filter((each) => !keys.has(keyOf(each))),
    now,
  );
}

/** Connections that the platform said it ended and that still work; not those whose integration it has spoken of since. */
async function connectionsInDoubt(now: Date): Promise<Judged[]> {
  const doubted: Judged[] = [];
  for (const { workspaceId, connectionId, eventId, toldAt } of await listContradictions()) {
    if (await spokenOfSince(workspaceId, eventId)) continue;
    const suspicion = { evidence: [eventId], detail: "", since: Math.min(toldAt.getTime(), now.getTime()), patienceMs: 0 };
    doubted.push({ workspaceId, rule: "disconnected_yet_working", resource: { kind: "connection", id: connectionId }, suspicion });
  }
  return doubted;
}

/** Whether a later event has given the integration another state than this one did. */
async function spokenOfSince(workspaceId: WorkspaceId, eventId: string): Promise<boolean> {
  const event = await findEvent(workspaceId, eventId);
  const integration = event?.summary.resources.find(({ kind }) => kind === "integration");
  const record = integration ? await findView(workspaceId, "integration", integration.id) : null;
  return record !== null && record.fields.state?.eventId !== eventId;
}

/** Notes who spoke since the last round, and tells who is silent against the usual pace. */
async function judgeSources(client: pg.ClientBase, since: Date, now: Date): Promise<{ until: Date; silent: Judged[] }> {
  const heard = await listHeardSince(since, HEARD_A_WORKSPACE);
  const paces = new Map((await listPaces(client)).map((pace) => [pace.sourceId, pace]));
  const changed = new Map<string, SourcePace>();
  for (const sourceId of new Set(heard.map((event) => event.sourceId))) {
    const events = heard.filter((event) => event.sourceId === sourceId);
    const [first] = events;
    const believed = events.map(({ eventId, created, receivedAt }) => ({ eventId, created, receivedAt: receivedAt.getTime() }));
    const pace = hear(paces.get(sourceId) ?? null, believed);
    if (first && pace) changed.set(sourceId, { ...pace, sourceId, workspaceId: first.workspaceId });
  }
  await savePaces(client, [...changed.values()]);
  for (const pace of changed.values()) paces.set(pace.sourceId, pace);
  const until = heard.reduce((latest, { receivedAt }) => (receivedAt > latest ? receivedAt : latest), since);
  return { until, silent: [...paces.values()].flatMap((pace) => silentSource(pace, now) ?? []) };
}

function silentSource(pace: SourcePace, now: Date): Judged | null {
  const silence = silenceOf(pace, now.getTime());
  if (!silence) return null;
  const suspicion = { evidence: [pace.lastEventId], detail: paceWords(silence.usualSeconds), since: silence.since, patienceMs: 0 };
  return { workspaceId: pace.workspaceId, rule: "source_silent", resource: { kind: "source", id: pace.sourceId }, suspicion };
}

const paceWords = (seconds: number) =>
  `Its last events came about ${seconds < 120 ? `${Math.max(1, seconds)} seconds` : `${Math.round(seconds / 60)} minutes`} apart.`;
