import { afterEach, expect, it } from "vitest";
import { forget, once } from "#lib/context/once";
import { pool } from "#lib/db/pool";
import { findSchema } from "#lib/event-types/schema-store";
import { EventLearner, learner } from "#lib/flows/event-types/learn-event-types";
import { changeFieldSettings } from "#lib/flows/event-types/manage-event-types";
import { relearn, requestRelearning } from "#lib/flows/event-types/relearn";
import { runClaimed, stopOperation } from "#lib/flows/operations/operations";
import { claimOperation } from "#lib/operations/operation-store";
import { mulberry32 } from "#tests/chaos/driver";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, newWorker, TypeOfSource, withoutSampling } from "#tests/support/learnt-types";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();
afterEach(newWorker);

/** Payloads with optional fields, several types, an enumeration, lists and a map: the same for the same number. */
function payloadOf(n: number): Record<string, unknown> {
  const random = mulberry32(n);
  return {
    status: ["open", "closed", "held"][n % 3],
    amount: Math.floor(random() * 500) / 10,
    ...(random() < 0.4 && { note: random() < 0.5 ? null : "text" }),
    items: Array.from({ length: Math.floor(random() * 4) }, (_, at) => ({ sku: `s${at}`, ...(random() < 0.5 && { count: at }) })),
    labels: { [`label ${n}`]: n, fixed: true },
  };
}

async function runRelearning(waitMs = 0, meanwhile: () => Promise<unknown> = async () => undefined) {
  const claimed = await claimOperation("relearn", "run_1");
  if (!claimed) throw new Error("no relearning waits");
  const run = runClaimed(claimed, "run_1", relearn(waitMs), { signal: AbortSignal.timeout(60_000) });
  await meanwhile();
  return run;
}

it("relearning from the log gives what was learnt live, exactly where all events are read", async () => {
  withoutSampling();
  const workspace = await makeWorkspace();
  const type = new TypeOfSource(workspace);
  await type.learn(150, payloadOf);
  await type.learn(300, payloadOf);
  const { id } = await type.read();
  const before = await findSchema(type.workspaceId, id);
  await requestRelearning(unaudited(actorOf(workspace)), id);
  expect(await runRelearning()).toMatchObject({ outcome: "finished", report: { events: 450 } });
  const after = await findSchema(type.workspaceId, id);
  expect(after?.generation).toBe(2);
  expect(after?.tree).toEqual(before?.tree);
  expect(after?.watch.usual).toEqual(before?.watch.usual);
});

it("events that come meanwhile are in it once", async () => {
  withoutSampling();
  const workspace = await makeWorkspace();
  const type = new TypeOfSource(workspace);
  await type.learn(120, payloadOf);
  const { id } = await type.read();
  await requestRelearning(unaudited(actorOf(workspace)), id);
  await runRelearning(500, async () => {
    await expect.poll(async () => (await findSchema(type.workspaceId, id))?.nextFrom ?? null).not.toBeNull();
    await learner().loadTold();
    // Received before the moment that divides them, and learnt by a worker only now: the log has it.
    await type.learn(5, payloadOf);
    type.receivedFrom = Date.now() + 3_600_000;
    await type.learn(30, payloadOf);
    expect((await type.read()).events).toBe(155);
  });
  await learner().loadTold();
  await type.learn(10, payloadOf);
  expect((await type.read()).events).toBe(165);
  expect((await type.read()).tree.find(({ path }) => path === "data.status")?.present).toBe(165);
});

it("what people set outlives it, and a stop leaves everything as it was", async () => {
  const workspace = await makeWorkspace();
  const actor = actorOf(workspace);
  const type = new TypeOfSource(workspace);
  await type.learn(220, payloadOf);
  const { id } = await type.read();
  await changeFieldSettings(unaudited(actor), id, { path: "data.status", notEnumeration: true, ignored: true });
  const before = await findSchema(type.workspaceId, id);
  const { id: operationId } = await requestRelearning(unaudited(actor), id);
  expect((await requestRelearning(unaudited(actor), id)).id).toBe(operationId);
  const stopped = await runRelearning(30_000, () => stopOperation(unaudited(actor), operationId));
  expect(stopped).toMatchObject({ outcome: "stopped" });
  expect(await findSchema(type.workspaceId, id)).toEqual(before);

  await requestRelearning(unaudited(actor), id);
  await runRelearning();
  const field = (await type.read()).tree.find(({ path }) => path === "data.status");
  expect(field).toMatchObject({ values: null, settings: { ignored: true, notEnumeration: true } });
  const { rows } = await pool().query("SELECT kind FROM event_schema_changes WHERE schema_id = $1 AND kind = 'relearnt'", [id]);
  expect(rows).toHaveLength(1);
});

it("has what a worker of a version without a learner applied, beside one that learns or before: nothing else counts that", async () => {
  const workspace = await makeWorkspace();
  const type = new TypeOfSource(workspace);
  const applyWithoutLearner = async (data: Record<string, unknown>) => {
    forget("event-learner");
    once("event-learner", () => Object.assign(new EventLearner(), { teach: () => undefined }));
    await type.receive(40, () => data);
    await applyAll();
    newWorker();
  };
  await applyWithoutLearner({});
  await type.learn(60, () => ({ status: "done" }));
  await applyWithoutLearner({ risk: "high" });
  await type.learn(60, () => ({ status: "done" }));
  const before = await type.read();
  expect([before.events, before.tree.some(({ path }) => path === "data.risk")]).toEqual([120, false]);
  expect(before.tree.find(({ path }) => path === "data.status")).toMatchObject({ present: 120, seen: 120 });
  await requestRelearning(unaudited(actorOf(workspace)), before.id);
  expect(await runRelearning()).toMatchObject({ report: { events: 200 } });
  const after = await type.read();
  expect(after.tree.find(({ path }) => path === "data.risk")).toMatchObject({ present: 40, seen: 200 });
  expect(after.drifts).toEqual([]);
});
