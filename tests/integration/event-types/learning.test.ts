import { afterEach, describe, expect, it } from "vitest";
import { workspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { MAX_SCHEMAS } from "#lib/event-types/schema";
import { findSchema } from "#lib/event-types/schema-store";
import { EventLearner, learner } from "#lib/flows/event-types/learn-event-types";
import { readEventTypes, readSchemaHistory } from "#lib/flows/event-types/read-event-types";
import { relearn, requestRelearning } from "#lib/flows/event-types/relearn";
import { readEvent } from "#lib/flows/events/read-event";
import { readIssues } from "#lib/flows/issues/issues";
import { runClaimed } from "#lib/flows/operations/operations";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";
import { workerCounts } from "#lib/observability/metrics";
import { claimOperation } from "#lib/operations/operation-store";
import { PLATFORM_READING } from "#lib/platform/read-event";
import { captureLog } from "#tests/support/captured-log";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, applyAndLearn, handOn, newWorker, TypeOfSource, withoutSampling } from "#tests/support/learnt-types";
import { append } from "#tests/support/log-writer";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();
afterEach(newWorker);

const status = (n: number) => ({ status: ["completed", "failed"][n % 2], pages: n % 7 });

describe("a worker learns what a source sends", () => {
  it("fields with their presence, types and values, from the events that it applies", async () => {
    const type = new TypeOfSource(await makeWorkspace());
    await type.learn(250, (n) => ({ ...status(n), ...(n % 5 === 0 && { note: "x" }) }));
    const { events, walked, state, tree, title } = await type.read();
    expect({ events, walked, state, title }).toEqual({ events: 250, walked: 250, state: "observed", title: "Document processed" });
    expect(tree.map(({ path }) => path)).toEqual(["data", "data.documentId", "data.note", "data.pages", "data.status"]);
    const of = (path: string) => tree.find((field) => field.path === path);
    expect(of("data.note")).toMatchObject({ seen: 250, present: 50, depth: 1, parent: "data" });
    expect(of("data.status")?.values?.map(({ value, count }) => [value, count])).toEqual([
      ["completed", 125],
      ["failed", 125],
    ]);
    expect(of("data.pages")?.number).toEqual({ min: "0", max: "6" });
  });

  it("as two workers and one that was killed: what is handed on adds up, and nothing is found twice", async () => {
    const type = new TypeOfSource(await makeWorkspace());
    await type.learn(120, status);
    newWorker();
    await type.learn(30, status);
    expect((await type.read()).events).toBe(150);
    // Applied, and never handed on.
    await type.receive(10, status);
    await applyAll();
    newWorker();
    await type.learn(5, (n) => ({ ...status(n), risk: "high" }));
    const { events, id } = await type.read();
    expect(events).toBe(155);
    const { data = [] } = (await readSchemaHistory(type.workspaceId, id, { limit: 50 })) ?? {};
    expect(data.filter(({ kind }) => kind === "field_appeared")).toMatchObject([
      { path: "data.risk", event: { id: expect.stringMatching(/-161$/) } },
    ]);
  });

  it("as several workers at once: what they hand on at one time is what the log teaches one", async () => {
    const workspace = await makeWorkspace();
    const type = new TypeOfSource(workspace);
    const payload = (n: number) => ({ ...status(n), ...(n % 3 === 0 && { note: n % 2 === 0 ? null : "x" }), labels: { [`key ${n}`]: n } });
    const workers: EventLearner[] = [];
    for (let n = 0; n < 4; n += 1) {
      withoutSampling();
      workers.push(learner());
      await type.receive(40, payload);
      await applyAll();
    }
    await Promise.all(workers.map((worker) => worker.handOn(new Date(), 10)));
    const { id } = await type.read();
    const together = await findSchema(type.workspaceId, id);
    expect(together?.tree.events).toBe(160);
    await requestRelearning(unaudited(actorOf(workspace)), id);
    const claimed = await claimOperation("relearn", "run_1");
    if (!claimed) throw new Error("no relearning waits");
    await runClaimed(claimed, "run_1", relearn(0), { signal: AbortSignal.timeout(60_000) });
    expect((await findSchema(type.workspaceId, id))?.tree).toEqual(together?.tree);
  });

  it("not from re-deliveries, and not from the network or from quarantine", async () => {
    const workspace = await makeWorkspace();
    const type = new TypeOfSource(workspace);
    const [first = ""] = await type.learn(3, status);
    await redeliverEvent(workspace.workspaceId, first, "ada");
    await applyAndLearn();
    expect((await type.read()).events).toBe(3);
    await type.receive(2, status);
    await pool().query("ALTER TABLE events DISABLE TRIGGER events_are_kept");
    await pool().query("UPDATE events SET signature_form = 'released' WHERE workspace_id = $1 AND seq = (SELECT max(seq) FROM events)", [
      workspace.workspaceId,
    ]);
    await pool().query("ALTER TABLE events ENABLE TRIGGER events_are_kept");
    await applyAndLearn();
    expect((await type.read()).events).toBe(4);
  });

  it("once from a batch that was rolled back and applied again", async () => {
    const type = new TypeOfSource(await makeWorkspace());
    await type.receive(20, status);
    const log = captureLog();
    // No fault of the events: the batch is given back, and claimed as a whole again.
    await pool().query(`CREATE SEQUENCE failed_once; CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('failed_once') = 1 THEN RAISE 'not now' USING ERRCODE = 'XX000'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER fail_once AFTER INSERT ON event_refs FOR EACH STATEMENT EXECUTE FUNCTION fail_once()`);
    try {
      await applyAll();
    } finally {
      await pool().query("DROP TRIGGER fail_once ON event_refs; DROP FUNCTION fail_once; DROP SEQUENCE failed_once");
      log.stop();
    }
    expect(log.text()).toContain("not now");
    await handOn();
    expect((await type.read()).events).toBe(20);
  });

  it("without ending a batch: a fault is counted, and told once", () => {
    const log = captureLog();
    const before = workerCounts().schema_faults ?? 0;
    const data = Object.defineProperty({}, "broken", {
      enumerable: true,
      get: () => {
        throw new Error("no such luck");
      },
    });
    const place = { inboxId: null, redeliveryId: null, attempts: 0, receivedAt: new Date(), seq: 1, created: 1_790_000_000 };
    const event = { eventId: "evt_1", type: "x", sourceId: "src_1", workspaceId: workspaceId.parse("wsp_1"), body: Buffer.from("{}") };
    const fresh = new EventLearner();
    for (let n = 0; n < 3; n += 1) fresh.teach({ ...place, ...event, signatureForm: "raw" }, data, [], PLATFORM_READING);
    log.stop();
    expect((workerCounts().schema_faults ?? 0) - before).toBe(3);
    expect(log.text().match(/no such luck/g)).toHaveLength(1);
  });

  it("also after the database was away: what it learnt meanwhile is handed on then", async () => {
    const type = new TypeOfSource(await makeWorkspace());
    await type.learn(2, status);
    const log = captureLog();
    await pool().query("ALTER TABLE event_schemas RENAME TO event_schemas_away");
    try {
      await type.receive(3, status);
      await applyAll();
      await expect(handOn()).rejects.toThrow("event_schemas");
    } finally {
      await pool().query("ALTER TABLE event_schemas_away RENAME TO event_schemas");
      log.stop();
    }
    const { rows } = await pool().query("SELECT 1 FROM log_ranges WHERE workspace_id = $1 AND ended_at IS NULL", [type.workspaceId]);
    expect(rows).toEqual([]);
    await handOn();
    expect((await type.read()).events).toBe(5);
  });

  it("500 types of a workspace; others are named as not learnt", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const data = { documentId: "doc_1" };
    const events = Array.from({ length: MAX_SCHEMAS + 3 }, (_, n) => ({
      eventId: `many-${n}`,
      type: `many.${String(n).padStart(4, "0")}`,
      created: 1_790_000_000,
      data,
    }));
    await append(workspaceId, sourceId, events);
    await applyAndLearn();
    const types = (await readEventTypes(workspaceId)).filter(({ state }) => state !== "unseen");
    expect(types.filter(({ state }) => state === "observed")).toHaveLength(MAX_SCHEMAS);
    expect(types.filter(({ state }) => state === "not_learnt")).toMatchObject([{ events: 0 }, { events: 0 }, { events: 0 }]);
  });
});

describe("drift", () => {
  const vanished = (n: number) => ({ status: ["completed", "failed"][n % 2] });

  it("opens an issue with the first event and the last good one, and ends by itself when the old shape is back", async () => {
    const type = new TypeOfSource(await makeWorkspace());
    const good = await type.learn(150, status);
    const bad = await type.learn(6, vanished);
    const [drift] = (await type.read()).drifts;
    expect(drift).toMatchObject({
      ...{ kind: "vanished", severity: "breaking", state: "open", path: "data.pages" },
      expected: "it in all of 150",
      firstEvent: { id: bad[0] },
      lastGoodEvent: { id: good.at(-1) },
    });
    const issuesOf = async () => (await readIssues(type.workspaceId, { origin: "schema" }, { limit: 10 }, new Date())).data;
    expect(await issuesOf()).toMatchObject([
      { id: drift?.issueId, state: "open", type: type.type, count: 6, failing: 6, sampleEventId: bad.at(-1) },
    ]);
    expect((await type.read()).drift).toEqual({ breaking: 1, warning: 0, info: 0 });
    const { rows: alerts } = await pool().query("SELECT rule, subject FROM alert_episodes WHERE workspace_id = $1 AND closed_at IS NULL", [
      type.workspaceId,
    ]);
    expect(alerts).toEqual([{ rule: "schema_drift", subject: drift?.issueId }]);

    await type.learn(201, status);
    expect((await type.read()).drifts).toMatchObject([{ state: "recovered", closedBy: null }]);
    expect(await issuesOf()).toMatchObject([{ state: "resolved", failing: 0 }]);
  });

  it("is found by workers that start anew with each event", async () => {
    const type = new TypeOfSource(await makeWorkspace());
    await type.learn(150, status);
    for (let n = 0; n < 7; n += 1) {
      newWorker();
      await learner().loadRecent();
      await type.receive(1, vanished);
      await applyAndLearn();
    }
    expect((await type.read()).drifts).toMatchObject([{ kind: "vanished", state: "open" }]);
  });
});

it("an event says what it was the first to have", async () => {
  const type = new TypeOfSource(await makeWorkspace());
  await type.learn(120, status);
  const [id = ""] = await type.learn(2, (n) => ({ ...status(n), risk: { level: "high" } }));
  expect((await readEvent(type.workspaceId, id))?.firstWith).toEqual(["data.risk"]);
  const [later = ""] = await type.learn(1, (n) => ({ ...status(n), risk: { level: "high" } }));
  expect((await readEvent(type.workspaceId, later))?.firstWith).toEqual([]);
});
