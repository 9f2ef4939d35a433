import { setTimeout as sleep } from "node:timers/promises";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { expectFound } from "#lib/contracts/api/app-error";
import { newId } from "#lib/contracts/api/ids";
import { isUnderWay } from "#lib/contracts/operation-states";
import type { Operation } from "#lib/contracts/operations";
import { inTransaction, pool } from "#lib/db/pool";
import { insertChanges } from "#lib/event-types/history-store";
import { emptyWatch, learn, type Watch } from "#lib/event-types/learn";
import { knownOf } from "#lib/event-types/learner";
import { LiveSchema } from "#lib/event-types/live-schema";
import { emptyTree, mergeTrees } from "#lib/event-types/merge";
import { bitOf, type Outcome } from "#lib/event-types/outcomes";
import type { SchemaTree } from "#lib/event-types/schema";
import { beginRelearning, endRelearning, findSchema, lockSchemas, type StoredSchema, saveLearnt } from "#lib/event-types/schema-store";
import { countTypeBefore, readTypeBefore } from "#lib/events/log/scan-store";
import { type OperationControl, type OperationWork, runQueued, showOperation } from "#lib/flows/operations/operations";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import type { OperationEnd } from "#lib/operations/operation-store";
import { insertOperation, listOperations } from "#lib/operations/operation-store";
import { readingOf } from "#lib/platform/read-event";
import { listReadings } from "#lib/sources/reading-store";
import { systemClock } from "#lib/time/clock";
import { Pauses } from "#lib/time/waits";
import { lessonOf, variantOfEvent } from "./learn-event-types.ts";
import { withSettings } from "./manage-event-types.ts";

/** Asks for a type to be learnt again from the log; the one that waits or runs is the answer where there is one. @throws AppError `not_found` */
export async function requestRelearning({ workspaceId, actor, audit }: Context, schemaId: string): Promise<Operation> {
  const schema = await expectFound(findSchema(workspaceId, schemaId), "event type with that ID");
  const { data } = await listOperations(workspaceId, "relearn", { limit: 100 });
  const busy = data.find((each) => isUnderWay(each) && (each.input as Input).schemaId === schemaId);
  if (busy) {
    audit.unchanged();
    return showOperation(busy);
  }
  const input: Input = { schemaId };
  const { operation } = await insertOperation(workspaceId, { kind: "relearn", requestedBy: actorName(actor), input, behind: true });
  await audit.record({ action: "relearn.started", target: { kind: "event_type", id: schemaId, name: schema.type } });
  return showOperation(operation);
}

type Input = { schemaId: string };

export const runRelearning = (signal: AbortSignal): Promise<void> => runQueued("relearn", relearn(), signal);

/** Time in which every worker has heard that what is received from then on counts apart: they look every second. */
const HEARD_AFTER_MS = 5000;

/** Learns one type from the log and replaces what is stored of it. What comes meanwhile is counted apart, and added. Begun again by another
 * process, it starts from the beginning: nothing is replaced before its last transaction. */
export const relearn =
  (waitMs = HEARD_AFTER_MS): OperationWork =>
  async ({ workspaceId, input, requestedBy }, control) => {
    const { schemaId } = input as Input;
    const schema = await findSchema(workspaceId, schemaId);
    if (!schema) return { outcome: "failed", failure: "The event type is gone." };
    const before = new Date(systemClock.now() + waitMs);
    await inTransaction(pool("worker"), (client) => beginRelearning(client, workspaceId, schemaId, before));
    let end: OperationEnd = { outcome: "stopped" };
    try {
      await sleep(waitMs, undefined, { signal: control.signal }).catch(() => undefined);
      const learnt = await learnFromLog(schema, before, control);
      if (learnt && !control.signal.aborted) {
        await replace(schema, learnt, requestedBy, control);
        end = { outcome: "finished", report: { events: learnt.tree.events, fields: Object.keys(learnt.tree.fields).length } };
      }
    } finally {
      if (end.outcome !== "finished") await inTransaction(pool("worker"), (client) => endRelearning(client, workspaceId, schemaId, false));
    }
    return end;
  };

const PAGE = 500;
/** Events after which what was read is added up: first values of an enumeration are known by then. */
const ADD_UP = 2000;

async function learnFromLog(
  schema: StoredSchema,
  before: Date,
  control: OperationControl,
): Promise<{ tree: SchemaTree; watch: Watch } | null> {
  const { workspaceId, sourceId, type, settings } = schema;
  const which = { sourceId, type, before };
  const [total, readings] = await Promise.all([countTypeBefore(workspaceId, which), listReadings(workspaceId)]);
  const live = new LiveSchema(schema.id);
  let learnt = { tree: emptyTree(), watch: emptyWatch() };
  const addUp = () => {
    const { tree, watch } = learn(learnt, live.take(), { newId: () => newId("dft") });
    // What this past shows as a drift is how it was: nothing of it is claimed again.
    learnt = { tree: withSettings(tree, settings), watch: { usual: withDeviating(watch), deviations: {} } };
    live.adopt(knownOf({ ...schema, pin: null, watch: learnt.watch }, learnt.tree));
  };
  live.adopt(knownOf({ ...schema, pin: null, watch: emptyWatch() }, emptyTree()));
  let [done, last, pending]: [number, { receivedAt: Date; seq: number } | null, number] = [0, null, 0];
  const pauses = new Pauses();
  for (;;) {
    if (control.signal.aborted) return null;
    control.onProgress({ phase: "reading", done, total: Math.max(total, done) });
    const page: Awaited<ReturnType<typeof readTypeBefore>> = await readTypeBefore(workspaceId, which, last, PAGE);
    if (page.length === 0) break;
    for (const event of page) {
      const { data, plan } = planDelivery(event, readings);
      const isReadable = plan.outcome === "touches" || plan.code !== "not_readable";
      const variant = variantOfEvent(event.signatureForm, data, readingOf(readings, sourceId));
      if (isReadable && variant === schema.variant) live.teach(lessonOf(event, data, plan.outcome === "touches" ? plan.refs : []));
      await pauses.afterPiece();
    }
    done += page.length;
    pending += page.length;
    last = page.at(-1) ?? null;
    if (pending >= ADD_UP) {
      addUp();
      pending = 0;
    }
  }
  addUp();
  return learnt;
}

const withDeviating = ({ usual, deviations }: Watch): Watch["usual"] => {
  const all = { ...usual };
  for (const [path, outcomes] of Object.entries(deviations))
    for (const outcome of Object.keys(outcomes)) all[path] = (all[path] ?? 0) | bitOf(outcome as Outcome);
  return all;
};

async function replace(
  { id, workspaceId }: StoredSchema,
  learnt: { tree: SchemaTree; watch: Watch },
  by: string | null,
  control: OperationControl,
): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    await control.expectMine(client);
    const [now] = await lockSchemas(client, [id]);
    if (!now) return;
    const tree = withSettings(mergeTrees(learnt.tree, { ...emptyTree(), ...now.nextTree }), now.settings);
    await saveLearnt(client, [{ id, tree, watch: watchAfter(learnt.watch, now, tree), nextTree: null, changedAt: null }]);
    await endRelearning(client, workspaceId, id, true);
    const detail = `from ${tree.events.toLocaleString("en-US")} events`;
    await insertChanges(client, [{ schemaId: id, workspaceId, kind: "relearnt", path: null, detail, eventId: null, eventAt: null, by }]);
  });
}

/** Keeps what is usual and was accepted, and the open drifts: each waits for 200 usual observations from here on. */
function watchAfter({ usual }: Watch, { watch }: StoredSchema, tree: SchemaTree): Watch {
  const after: Watch = { usual: { ...usual }, deviations: {} };
  for (const path of Object.keys(tree.fields)) after.usual[path] = (after.usual[path] ?? 0) | (watch.usual[path] ?? 0);
  for (const [path, outcomes] of Object.entries(watch.deviations))
    for (const [outcome, watched] of Object.entries(outcomes)) {
      if (watched.drift === undefined) continue;
      const at = tree.fields[path]?.n ?? 0;
      after.usual[path] = (after.usual[path] ?? 0) & ~bitOf(outcome as Outcome);
      after.deviations[path] = { ...after.deviations[path], [outcome]: { ...watched, runs: [[at, at]] } };
    }
  return after;
}
