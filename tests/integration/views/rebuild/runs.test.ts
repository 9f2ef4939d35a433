import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readOverview } from "#lib/flows/overview/read-overview";
import { rebuildOutdated } from "#lib/flows/views/rebuild-outdated";
import { findRebuild, listRebuilds, rebuildOf, runRebuildNow, runRebuilds } from "#lib/flows/views/rebuild-views";
import { claimOperation, insertOperation, requestStop } from "#lib/operations/operation-store";
import { listOutdated, saveFold } from "#lib/views/base-store";
import { FOLD_VERSION } from "#lib/views/definitions";
import { startLoop } from "#tests/support/background-loop";
import { useDatabase } from "#tests/support/database";
import { makeApplied } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";
import { failBefore, loseAnswerOfCommit, useStatements } from "#tests/support/statements";

useDatabase();
useStatements();

const ask = { kind: "rebuild", dryRun: true, requestedBy: "ada@example.com" } as const;
const claimRebuild = (runner: string) => claimOperation("rebuild", runner);

async function insertRebuild(workspaceId: WorkspaceId, request: { dryRun: boolean; requestedBy: string; kind: "rebuild" }) {
  const { outcome, operation } = await insertOperation(workspaceId, request);
  return { outcome, rebuild: rebuildOf(operation) };
}

const startWorker = () => startLoop(runRebuilds);

beforeEach(async () => {
  await pool().query("DELETE FROM operations");
});

const withEvents = async (events: number, seed: number) => (await makeApplied(randomEvents(events, seed), { workers: 2 })).workspaceId;

let made: Promise<WorkspaceId> | undefined;

/** A workspace whose rebuild lasts long enough to be seen. Made once: each rebuild of it is a dry run, or is stopped. */
const large = (): Promise<WorkspaceId> => (made ??= withEvents(6000, 3));

const stateOf = (workspaceId: WorkspaceId, id: string) => async () => (await findRebuild(workspaceId, id))?.state;
const soon = { timeout: 90_000, interval: 50 };

describe("a rebuild that was asked for", () => {
  it("is run by a worker, and its report can be read afterwards", async () => {
    const workspaceId = await withEvents(300, 1);
    const { outcome, rebuild } = await insertRebuild(workspaceId, ask);
    expect([outcome, rebuild.state]).toEqual(["started", "queued"]);
    startWorker();
    await expect.poll(stateOf(workspaceId, rebuild.id), soon).toBe("done");
    expect(await findRebuild(workspaceId, rebuild.id)).toMatchObject({
      done: 300,
      total: 300,
      requestedBy: "ada@example.com",
      report: { events: 300, missing: 0, surplus: 0, different: 0 },
    });
  });

  it("is one at a time in a workspace: who asks meanwhile is shown that one", async () => {
    const workspaceId = await withEvents(10, 2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => insertRebuild(workspaceId, ask)));
    expect(answers.filter(({ outcome }) => outcome === "started")).toHaveLength(1);
    expect(new Set(answers.map(({ rebuild }) => rebuild.id)).size).toBe(1);
    expect(await runRebuildNow(workspaceId, { ...ask, rest: 0, signal: new AbortController().signal })).toMatchObject({ outcome: "busy" });
    expect(await listRebuilds(workspaceId)).toHaveLength(1);
  });

  it("stops at once while it waits, and soon while it runs, and has changed nothing", { tags: ["deep"] }, async () => {
    const workspaceId = await large();
    const waiting = await insertRebuild(workspaceId, ask);
    expect(await requestStop(workspaceId, waiting.rebuild.id)).toBe("queued");
    expect((await findRebuild(workspaceId, waiting.rebuild.id))?.state).toBe("stopped");
    await pool().query("UPDATE views SET state = 'forged' WHERE workspace_id = $1", [workspaceId]);
    const running = await insertRebuild(workspaceId, { ...ask, dryRun: false });
    startWorker();
    await expect.poll(stateOf(workspaceId, running.rebuild.id), soon).toBe("running");
    await requestStop(workspaceId, running.rebuild.id);
    await expect.poll(stateOf(workspaceId, running.rebuild.id), soon).toBe("stopped");
    const { rows } = await pool().query("SELECT DISTINCT state FROM views WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([{ state: "forged" }]);
  });

  it("fails in words when its worker died of it three times, and others that wait go on", { tags: ["deep"] }, async () => {
    const workspaceId = await withEvents(10, 6);
    const other = await withEvents(10, 7);
    const { rebuild } = await insertRebuild(workspaceId, ask);
    for (const runner of ["first", "second", "third"]) {
      expect(await claimRebuild(runner)).toMatchObject({ id: rebuild.id });
      expect(await claimRebuild("other")).toBeNull();
      await pool().query("UPDATE operations SET beat_at = now() - interval '2 minutes'");
    }
    const waiting = await insertRebuild(other, ask);
    startWorker();
    await expect.poll(stateOf(other, waiting.rebuild.id), soon).toBe("done");
    expect(await findRebuild(workspaceId, rebuild.id)).toMatchObject({
      state: "failed",
      failure: expect.stringContaining("exited 3 times before finishing"),
      finishedAt: expect.any(String),
    });
    expect((await insertRebuild(workspaceId, ask)).outcome).toBe("started");
  });

  it("is begun as often as workers end in good order: only those that die of it count", { tags: ["deep"] }, async () => {
    const workspaceId = await large();
    const { rebuild } = await insertRebuild(workspaceId, ask);
    for (let n = 0; n < 4; n += 1) {
      const worker = startWorker();
      await expect.poll(stateOf(workspaceId, rebuild.id), soon).toBe("running");
      await worker.stop();
      expect((await findRebuild(workspaceId, rebuild.id))?.state).toBe("queued");
    }
    startWorker();
    await expect.poll(stateOf(workspaceId, rebuild.id), soon).toBe("done");
  });

  it.each([
    ["finished when it was committed", (): void => loseAnswerOfCommit(/LOCK TABLE views/), { state: "done", failure: null }, 20],
    [
      "failed when the database has undone it",
      (): void => failBefore(/^COMMIT$/, /LOCK TABLE views/),
      { state: "failed", failure: expect.stringMatching(/terminated.*The records are unchanged/) },
      0,
    ],
  ])("whose swap was not answered is told as %s", { tags: ["deep"] }, async (_as, cut, expected, records) => {
    const workspaceId = await withEvents(200, 11);
    await pool().query(
      "DELETE FROM views WHERE workspace_id = $1 AND id IN (SELECT id FROM views WHERE workspace_id = $1 ORDER BY id LIMIT 20)",
      [workspaceId],
    );
    const count = async () =>
      (await pool().query<{ n: number }>("SELECT count(*) AS n FROM views WHERE workspace_id = $1", [workspaceId])).rows[0]?.n ?? 0;
    const before = await count();
    const { rebuild } = await insertRebuild(workspaceId, { ...ask, dryRun: false });
    cut();
    startWorker();
    await expect.poll(async () => (await findRebuild(workspaceId, rebuild.id))?.finishedAt, soon).toEqual(expect.any(String));
    expect(await findRebuild(workspaceId, rebuild.id)).toMatchObject(expected);
    expect(await count()).toBe(before + records);
  });

  it("is stopped, not begun again, when somebody stopped it and its worker died", { tags: ["deep"] }, async () => {
    const workspaceId = await withEvents(10, 9);
    const { rebuild } = await insertRebuild(workspaceId, ask);
    await claimRebuild("dead");
    await requestStop(workspaceId, rebuild.id);
    await pool().query("UPDATE operations SET beat_at = now() - interval '2 minutes'");
    expect(await claimRebuild("other")).toBeNull();
    expect(await findRebuild(workspaceId, rebuild.id)).toMatchObject({ state: "stopped", failure: null });
  });
});

const upload = { eventId: "evt_1", type: "document.uploaded", created: 100, data: { documentId: "doc_1" } };

/** A workspace with a record that an earlier version made. */
async function makeOutdated() {
  const { workspaceId } = await makeApplied([upload]);
  await saveFold(pool(), workspaceId);
  await pool().query("UPDATE view_folds SET fold = $2 WHERE workspace_id = $1", [workspaceId, FOLD_VERSION - 1]);
  return workspaceId;
}

it("records of an earlier version are rebuilt once after an update, and a comparison alone does not count", async () => {
  const workspaceId = await makeOutdated();
  await pool().query("UPDATE views SET registers = registers - 'state' WHERE workspace_id = $1", [workspaceId]);
  const said = async () =>
    (await readOverview(workspaceId, new Date())).conditions
      .map(({ sentence }) => sentence)
      .filter((words) => words.startsWith("After an update"));
  expect(await said()).toEqual([expect.stringContaining("starts within minutes")]);
  expect(await rebuildOutdated(new Date())).toBe(1);
  expect(await rebuildOutdated(new Date()), "it is asked for already").toBe(0);
  const { rows } = await pool().query("SELECT kind, state, dry_run FROM operations WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([{ kind: "rebuild", state: "queued", dry_run: false }]);
  const endAs = (state: string) =>
    pool().query("UPDATE operations SET state = $1, finished_at = now() WHERE workspace_id = $2", [state, workspaceId]);
  await pool().query("UPDATE operations SET state = 'running', done = 1, total = 3 WHERE workspace_id = $1", [workspaceId]);
  expect(await said()).toEqual([expect.stringContaining("33% done")]);
  await endAs("stopped");
  expect(await said()).toEqual([expect.stringContaining("was stopped")]);
  expect(await rebuildOutdated(new Date()), "a person stopped it").toBe(0);
  await endAs("failed");
  expect(await rebuildOutdated(new Date()), "it has just failed").toBe(0);
  expect(await rebuildOutdated(new Date(Date.now() + 3_700_000))).toBe(1);
  await rebuild(workspaceId, { dryRun: true });
  expect(await listOutdated()).toContain(workspaceId);
  expect(await rebuild(workspaceId)).toMatchObject({ corrected: 1 });
  expect(await listOutdated()).not.toContain(workspaceId);
  expect(await said()).toEqual([]);
});

it("while a worker of the version before applies events its way, no rebuild is asked for: it would count, and leave those events wrong", async () => {
  await makeOutdated();
  await pool().query("INSERT INTO worker_heartbeats (id, knows) VALUES ('before', '20261001000000_before')");
  expect(await rebuildOutdated(new Date())).toBe(0);
  await pool().query("UPDATE worker_heartbeats SET seen_at = now() - interval '21 seconds' WHERE id = 'before'");
  expect(await rebuildOutdated(new Date())).toBe(1);
});

it("a workspace that is new has records of this version, and needs no rebuild", async () => {
  const { workspaceId } = await makeApplied([upload]);
  await rebuildOutdated(new Date());
  expect(await listOutdated()).not.toContain(workspaceId);
  expect((await pool().query("SELECT 1 FROM operations WHERE workspace_id = $1", [workspaceId])).rowCount).toBe(0);
});
