import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { inTurn } from "#lib/api/request-limits";
import type { Actor } from "#lib/auth/actor";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type Operation, operation as operationSchema } from "#lib/contracts/operations";
import type { ReleasesBody } from "#lib/contracts/quarantine";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { runRetries } from "#lib/flows/forwarding/deliveries";
import { type OperationControl, runClaimed } from "#lib/flows/operations/operations";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { releaseMatching, runReleases } from "#lib/flows/quarantine/release-quarantined";
import { runRebuilds } from "#lib/flows/views/rebuild-views";
import {
  beat,
  claimOperation,
  findOperation,
  finishOperation,
  insertExport,
  insertOperation,
  type StoredKind,
} from "#lib/operations/operation-store";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { startLoop } from "#tests/support/background-loop";
import { useDatabase } from "#tests/support/database";
import { makeDestination } from "#tests/support/forwarding/destinations";
import { until } from "#tests/support/forwarding/senders";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { callRoute } from "#tests/support/routes";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
useStatements();

const startWorker = () => startLoop(runReleases);

const soon = { timeout: 30_000, interval: 50 };
const BY = { requestedBy: "ada@example.com" };
const silence = () => pool().query("UPDATE operations SET beat_at = now() - interval '2 minutes' WHERE state = 'running'");

async function call({ cookie }: TestAccount, method: string, route: string, input: { id?: string; body?: unknown } = {}) {
  const headers = { cookie, origin: "http://localhost:3000" };
  return callRoute(method, `api/v1/${route}`, headers, { params: { id: input.id ?? "" }, body: input.body });
}

const read = async (who: TestAccount, id: string): Promise<Operation> =>
  operationSchema.parse(await (await call(who, "GET", "operations/[id]", { id })).json());
const stateOf = (who: TestAccount, id: string) => async () => (await read(who, id)).state;

/** A workspace with so many requests in quarantine that verify now. */
async function withQuarantined(count: number): Promise<TestAccount & { source: string }> {
  const { workspaceId, source, sourceId } = await makeWorkspace();
  const entries = Array.from({ length: count }, (_, n) => {
    const body = Buffer.from(envelope({ id: `evt_${String(n).padStart(4, "0")}` }));
    return {
      ...{ id: `qua_${sourceId}_${n}`, workspaceId, sourceId, reason: "signature_mismatch", detail: "", verified: false },
      ...{ receivedAt: new Date(Date.now() - 60_000 + n), body, bodyBytes: body.length, headers: { "x-webhook-signature": sign(body) } },
    };
  });
  await prisma().quarantineEntry.createMany({ data: entries });
  return { ...(await makeAccount({ workspaceId })), source };
}

const countEvents = async (workspaceId: WorkspaceId) =>
  (await pool().query<{ n: number }>("SELECT count(*) AS n FROM events WHERE workspace_id = $1", [workspaceId])).rows[0]?.n;

const startRelease = async (who: TestAccount, filter: ReleasesBody["filter"] = {}): Promise<Operation> => {
  const answer = await call(who, "POST", "quarantine/releases", { body: { filter, background: true } });
  expect(answer.status).toBe(202);
  return operationSchema.parse(await answer.json());
};

describe("a release of many requests in the background", () => {
  it("is one at a time; one whose worker died in the middle waits, shows no running for ever, and is finished by the next one where it was", async () => {
    const who = await withQuarantined(450);
    const { id, state, kind } = await startRelease(who);
    expect([kind, state]).toEqual(["release", "queued"]);
    expect((await call(who, "POST", "quarantine/releases", { body: { filter: {}, background: true } })).status).toBe(409);
    expect(await claimOperation("release", "dead")).toMatchObject({ id });
    const page = await releaseMatching(who.workspaceId, { filter: {}, dryRun: false }, who.email, new Date());
    const counts = { released: page.released, repeated: 0, failed: 0, stillQuarantined: 0 };
    expect(await beat(id, "dead", { done: page.examined, total: 450, counts, checkpoint: { cursor: page.nextCursor } })).toBe(true);
    expect((await read(who, id)).state).toBe("running");
    await silence();
    expect(await read(who, id)).toMatchObject({ state: "queued", done: 200, total: 450, canStop: true });
    startWorker();
    await expect.poll(stateOf(who, id), soon).toBe("finished");
    expect(await read(who, id)).toMatchObject({
      ...{ done: 450, total: 450, requestedBy: who.email, canStop: false, canResume: false, failure: null },
      counts: { released: 450, repeated: 0, failed: 0, stillQuarantined: 0 },
    });
    expect(await beat(id, "dead", { done: 1, total: 1 })).toBe(false);
    expect(await countEvents(who.workspaceId)).toBe(450);
  });

  it("is stopped, also when its worker is gone, and resumed; both stand in the audit log with the state before", async () => {
    const who = await withQuarantined(3);
    const { id } = await startRelease(who);
    await claimOperation("release", "dead");
    await silence();
    expect(await (await call(who, "POST", "operations/[id]/stop", { id })).json()).toMatchObject({ state: "stopped", canResume: true });
    startWorker();
    expect((await read(who, id)).state).toBe("stopped");
    expect(await countEvents(who.workspaceId)).toBe(0);
    expect((await call(who, "POST", "operations/[id]/resume", { id })).status).toBe(202);
    await expect.poll(stateOf(who, id), soon).toBe("finished");
    expect(await countEvents(who.workspaceId)).toBe(3);
    const entries = await prisma().auditEntry.findMany({ where: { workspaceId: who.workspaceId }, orderBy: { id: "asc" } });
    expect(entries.map(({ action, before }) => ({ action, before }))).toMatchObject([
      { action: "release.started", before: null },
      { action: "release.stopped", before: { state: "queued" } },
      { action: "release.resumed", before: { state: "stopped" } },
    ]);
  });
});

describe("an export that is watched", () => {
  async function prepared(events: number) {
    const { workspaceId, sourceId } = await makeWorkspace();
    await append(workspaceId, sourceId, randomEvents(events, 7));
    const who = await makeAccount({ workspaceId });
    const answer = await call(who, "POST", "events/exports", { body: { filter: {}, format: "ndjson" } });
    return { who, id: operationSchema.parse(await answer.json()).id };
  }

  it("counts what goes out and is finished with its last line; its file is downloaded once", async () => {
    const { who, id } = await prepared(300);
    expect(await read(who, id)).toMatchObject({ kind: "export", state: "queued", total: null });
    const file = await call(who, "GET", "events/exports/[id]", { id });
    expect(file.headers.get("content-disposition")).toMatch(/signalbox-events-.*\.ndjson/);
    const lines = (await file.text()).trimEnd().split("\n");
    expect(await read(who, id)).toMatchObject({
      state: "finished",
      done: lines.length,
      counts: { events: lines.length },
      canResume: false,
    });
    expect((await call(who, "GET", "events/exports/[id]", { id })).status).toBe(404);
  });

  it("can still be downloaded after a 429", async () => {
    const { who, id } = await prepared(3);
    const actor = { by: { kind: "session", userId: who.userId } } as Actor;
    const over = Promise.withResolvers<void>();
    const busy = Array.from({ length: 41 }, () => inTurn(actor, "heavy", () => over.promise));
    expect((await call(who, "GET", "events/exports/[id]", { id })).status).toBe(429);
    over.resolve();
    await Promise.all(busy);
    expect((await call(who, "GET", "events/exports/[id]", { id })).status).toBe(200);
  });

  it("breaks off when it is stopped, so that the file does not look complete", async () => {
    const { who, id } = await prepared(1200);
    const file = await call(who, "GET", "events/exports/[id]", { id });
    const reader = file.body?.getReader();
    await reader?.read();
    await call(who, "POST", "operations/[id]/stop", { id });
    await pool().query("SELECT pg_sleep(0.6)"); // the next look at the operation is due
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow("stopped");
    expect(await read(who, id)).toMatchObject({ state: "stopped", canResume: false });
    expect((await call(who, "POST", "operations/[id]/resume", { id })).status).toBe(409);
  });

  it("runs while its reader pauses, and can be stopped then", { tags: ["deep"] }, async () => {
    const { who, id } = await prepared(1200);
    const reader = (await call(who, "GET", "events/exports/[id]", { id })).body?.getReader();
    await reader?.read();
    await silence(); // as long as that the reader has taken nothing
    await expect.poll(stateOf(who, id), soon).toBe("running");
    await call(who, "POST", "operations/[id]/stop", { id });
    await expect.poll(stateOf(who, id), soon).toBe("stopped");
    await expect(reader?.read()).rejects.toThrow("stopped");
  });

  it("ends when nobody downloads it within ten minutes", async () => {
    const { who, id } = await prepared(1);
    await pool().query("UPDATE operations SET created_at = now() - interval '11 minutes' WHERE id = $1", [id]);
    expect((await call(who, "GET", "events/exports/[id]", { id })).status).toBe(404);
    expect((await read(who, id)).state).toBe("stopped");
  });

  it("has stopped when its reader left, and when the process that wrote it died", async () => {
    const { who, id } = await prepared(400);
    const file = await call(who, "GET", "events/exports/[id]", { id });
    await file.body?.cancel();
    await expect.poll(stateOf(who, id), soon).toBe("stopped");
    const other = await insertExport(who.workspaceId, { ...BY, runner: "dead" });
    expect((await read(who, other?.id ?? "")).state).toBe("running");
    await silence();
    expect((await read(who, other?.id ?? "")).state).toBe("stopped");
  });

  it("is one of at most five of a person at once, also when all are asked for together; the next is 429 in words", async () => {
    const { who, id } = await prepared(1);
    const ask = () => call(who, "POST", "events/exports", { body: { filter: {}, format: "ndjson" } });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(4).fill(201), ...Array<number>(16).fill(429)]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("60");
    expect(await refused?.text()).toContain("5 exports");
    expect((await call(who, "POST", "operations/[id]/stop", { id })).status).toBe(200);
    expect((await ask()).status).toBe(201);
  });

  it("leaves the table like one that has ended, also when its process died or nobody came for it", async () => {
    const { who } = await prepared(1);
    await pool().query(
      `INSERT INTO operations (id, workspace_id, kind, state, dry_run, input, requested_by, runner, created_at, beat_at, claims)
       SELECT 'exp_dead_' || n, $1, 'export', CASE WHEN n % 2 = 0 THEN 'running' ELSE 'queued' END, false, '{}', 'ada@example.com', 'dead',
         now() - interval '1 hour', CASE WHEN n % 2 = 0 THEN now() - interval '1 hour' END, 1 FROM generate_series(1, 500) n`,
      [who.workspaceId],
    );
    await insertExport(who.workspaceId, BY);
    const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM operations WHERE workspace_id = $1", [who.workspaceId]);
    expect(rows[0]?.n).toBeLessThan(250);
  });
});

describe("re-deliveries and rebuilds", () => {
  it("are read, stopped and resumed as operations like the others", { tags: ["deep"] }, async () => {
    const { workspaceId } = await makeApplied(randomEvents(40, 3));
    const who = await makeAccount({ workspaceId });
    const { id, total } = await redeliverSet(workspaceId, { filter: {} }, { now: new Date(), name: null, ...BY });
    if (!id) throw new Error("nothing matched");
    expect(await read(who, id)).toMatchObject({ kind: "redelivery", state: "running", done: 0, total, canStop: true });
    expect(await (await call(who, "POST", "operations/[id]/stop", { id })).json()).toMatchObject({ state: "stopped", canResume: true });
    expect(await (await call(who, "POST", "operations/[id]/resume", { id })).json()).toMatchObject({ state: "running" });
    await drainInbox();
    expect(await read(who, id)).toMatchObject({ state: "finished", done: total, counts: { applied: total, failed: 0, left: 0 } });
    const held = await redeliverSet(workspaceId, { filter: {} }, { now: new Date(), name: null, ...BY, hold: true });
    expect((await call(who, "GET", "operations/[id]", { id: held.id ?? "" })).status).toBe(404);

    const { operation: rebuild } = await insertOperation(workspaceId, { kind: "rebuild", ...BY });
    expect(await (await call(who, "POST", "operations/[id]/stop", { id: rebuild.id })).json()).toMatchObject({ state: "stopped" });
    expect(await (await call(who, "POST", "operations/[id]/resume", { id: rebuild.id })).json()).toMatchObject({ state: "queued" });
  });

  it("are stopped by those alone who may start them, and seen in their own workspace", async () => {
    const { workspaceId } = await makeWorkspace();
    const developer = await makeAccount({ role: "developer", workspaceId });
    const { operation: rebuild } = await insertOperation(workspaceId, { kind: "rebuild", ...BY });
    expect((await call(developer, "POST", "operations/[id]/stop", { id: rebuild.id })).status).toBe(403);
    expect((await read(developer, rebuild.id)).state).toBe("queued");
    expect((await call(await makeAccount(), "GET", "operations/[id]", { id: rebuild.id })).status).toBe(404);
  });

  it("are asked for, claimed and read by code of the release before, through the name that it knows", async () => {
    const { workspaceId } = await makeWorkspace();
    const who = await makeAccount({ workspaceId });
    await pool().query(
      "INSERT INTO view_rebuilds (id, workspace_id, state, dry_run, requested_by, claims) VALUES ('reb_before', $1, 'queued', true, 'ada', 0)",
      [workspaceId],
    );
    expect(await read(who, "reb_before")).toMatchObject({ kind: "rebuild", state: "queued" });
    await pool().query(
      `UPDATE view_rebuilds SET state = 'running', runner = 'old', beat_at = now(), claims = claims + 1
       WHERE id = (SELECT id FROM view_rebuilds WHERE id = 'reb_before' ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)`,
    );
    await pool().query("UPDATE view_rebuilds SET state = 'done', finished_at = now() WHERE id = 'reb_before' AND runner = 'old'");
    expect(await read(who, "reb_before")).toMatchObject({ state: "finished", canResume: false });
    await insertExport(workspaceId, BY);
    const { rows } = await pool().query("SELECT id, state FROM view_rebuilds WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([{ id: "reb_before", state: "done" }]);
  });
});

describe("the end of an operation", () => {
  const finished = { outcome: "finished", report: { all: "done" } } as const;
  afterEach(() => pool().query("DROP FUNCTION IF EXISTS refuse CASCADE"));

  /** Each write to an operation that meets the condition fails. */
  async function refuseWrites(condition: string): Promise<void> {
    await pool().query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF ${condition} THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$`);
    await pool().query("CREATE TRIGGER refuse BEFORE UPDATE ON operations FOR EACH ROW EXECUTE FUNCTION refuse()");
  }

  /** Runs work that ends well. @returns how the operation stands then */
  async function run() {
    const { workspaceId } = await makeWorkspace();
    const { operation } = await insertOperation(workspaceId, { kind: "release", ...BY, runner: "run_1" });
    const claimed = { ...operation, workspaceId, done: 0, total: 0, checkpoint: null };
    const work = async (_: unknown, { onProgress }: OperationControl) => {
      onProgress({ phase: "last", done: 1, total: 1 });
      return finished;
    };
    const ended = await runClaimed(claimed, "run_1", work, { signal: new AbortController().signal }).catch((error: Error) => error.message);
    const { rows } = await pool().query("SELECT state, report, failure FROM operations WHERE id = $1", [operation.id]);
    return { ended, stored: rows[0] };
  }

  const WELL = { ended: finished, stored: { state: "done", report: finished.report, failure: null } };

  it("is noted as it was when its last sign of life fails", async () => {
    await refuseWrites("NEW.phase = 'last' AND NEW.state = 'running'");
    expect(await run()).toEqual(WELL);
  });

  it("is noted as it was when the database refuses that at first", async () => {
    await pool().query("CREATE SEQUENCE tries");
    await refuseWrites("NEW.state = 'done' AND nextval('tries') = 1");
    expect(await run()).toEqual(WELL);
  });
});

const RUN = { retry: runRetries, release: runReleases, rebuild: runRebuilds };

/**
 * A worker begins an operation and waits before a statement for longer than a minute. Another takes the operation
 * over, does `meanwhile` and ends it; then the first goes on.
 *
 * @returns how the operation stands when the first has given up
 */
async function takeOver(
  workspaceId: WorkspaceId,
  operation: { kind: keyof typeof RUN & StoredKind; input?: object },
  { at, meanwhile = async () => undefined }: { at: RegExp; meanwhile?: () => Promise<unknown> },
) {
  await pool().query("DELETE FROM operations"); // what other tests left would be claimed first
  const pause = pauseBefore(at);
  const { id } = (await insertOperation(workspaceId, { requestedBy: "ada@example.com", ...operation })).operation;
  const worker = startLoop(RUN[operation.kind]);
  onTestFinished(pause.release);
  await pause.reached;
  const silent = () => pool().query("UPDATE operations SET beat_at = now() - interval '61 seconds' WHERE id = $1", [id]);
  const claim = async () => {
    await silent();
    return claimOperation(operation.kind, "another worker");
  };
  await until(claim, (claimed) => claimed !== null);
  await meanwhile();
  await beat(id, "another worker", { done: 3, total: 3, counts: { done: 3 }, checkpoint: { place: "the end" } });
  await finishOperation(id, "another worker", { outcome: "finished" });
  pause.release();
  await worker.stop();
  return findOperation(workspaceId, id);
}

const TASK = { eventId: "evt_1", type: "task.created", created: 1, data: { taskId: "task_1" } };
const ENDED = { state: "finished", done: 3, counts: { done: 3 }, failure: null };

it("a retry that was taken over sends nothing again that its successor has sent", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const { id } = await makeDestination(workspaceId, { url: "http://127.0.0.1:9999/" });
  await append(workspaceId, sourceId, [TASK]);
  await drainInbox();
  const deliveries = "UPDATE forward_deliveries SET state = 'delivered', finished_at = now()";
  await pool().query(`${deliveries} WHERE destination_id = $1`, [id]);
  const input = { filter: { state: ["delivered"] }, until: new Date().toISOString() };
  // A delivery that the successor has sent again has been delivered since: it matches once more.
  const meanwhile = () => pool().query(`${deliveries}, starts = starts + 1 WHERE destination_id = $1`, [id]);
  expect(await takeOver(workspaceId, { kind: "retry", input }, { at: /WITH found AS MATERIALIZED/, meanwhile })).toMatchObject(ENDED);
  const { rows } = await pool().query("SELECT state, starts FROM forward_deliveries WHERE destination_id = $1", [id]);
  expect(rows).toEqual([{ state: "delivered", starts: 1 }]);
});

it("a release that was taken over stores nothing of the page in hand", async () => {
  const { workspaceId } = await withQuarantined(1);
  const operation = { kind: "release", input: { filter: {} } } as const;
  expect(await takeOver(workspaceId, operation, { at: /SELECT FROM operations/ })).toMatchObject(ENDED);
  expect(await countEvents(workspaceId)).toBe(0);
  const { rows } = await pool().query("SELECT released_at FROM quarantine WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([{ released_at: null }]);
});

it("a rebuild that was taken over replaces no record", async () => {
  const { workspaceId } = await makeApplied([TASK]);
  await pool().query("DELETE FROM views WHERE workspace_id = $1", [workspaceId]);
  expect(await takeOver(workspaceId, { kind: "rebuild" }, { at: /LOCK TABLE views/ })).toMatchObject(ENDED);
  expect((await pool().query("SELECT FROM views WHERE workspace_id = $1", [workspaceId])).rowCount).toBe(0);
});
