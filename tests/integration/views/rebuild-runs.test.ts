import { afterEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { runRebuildNow, runRebuilds } from "#lib/flows/run-rebuilds";
import { claimRebuild } from "#lib/views/rebuild-claim-store";
import { findRebuild, insertRebuild, listRebuilds, requestStop } from "#lib/views/rebuild-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const ask = { dryRun: true, requestedBy: "ada@example.com", runner: null };
let worker: { abort: AbortController; ended: Promise<void> } | null = null;

/** A worker of rebuilds, as the worker process runs one. */
function startWorker(): void {
  const abort = new AbortController();
  worker = { abort, ended: runRebuilds(abort.signal) };
}

afterEach(async () => {
  worker?.abort.abort();
  await worker?.ended;
  worker = null;
});

async function withEvents(events: number, seed: number): Promise<WorkspaceId> {
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(workspaceId, sourceId, randomEvents(events, seed));
  await drainInbox(2);
  return workspaceId;
}

const stateOf = (workspaceId: WorkspaceId, id: string) => async () => (await findRebuild(workspaceId, id))?.state;
const soon = { timeout: 15_000, interval: 50 };

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

  it("stops at once while it waits, and soon while it runs, and has changed nothing", async () => {
    const workspaceId = await withEvents(6000, 3);
    const waiting = await insertRebuild(workspaceId, ask);
    expect(await requestStop(workspaceId, waiting.rebuild.id)).toBe(true);
    expect((await findRebuild(workspaceId, waiting.rebuild.id))?.state).toBe("stopped");
    await pool().query("UPDATE views SET state = 'forged' WHERE workspace_id = $1", [workspaceId]);
    const running = await insertRebuild(workspaceId, { ...ask, dryRun: false });
    startWorker();
    await expect.poll(stateOf(workspaceId, running.rebuild.id), soon).toBe("running");
    await requestStop(workspaceId, running.rebuild.id);
    await expect.poll(stateOf(workspaceId, running.rebuild.id), soon).toBe("stopped");
    const { rows } = await pool().query("SELECT DISTINCT state FROM views WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([{ state: "forged" }]);
  }, 60_000);

  it("goes back to the queue when its worker has to end, and to another when its worker falls silent", async () => {
    const workspaceId = await withEvents(6000, 4);
    const { rebuild } = await insertRebuild(workspaceId, ask);
    startWorker();
    await expect.poll(stateOf(workspaceId, rebuild.id), soon).toBe("running");
    worker?.abort.abort();
    await worker?.ended;
    expect((await findRebuild(workspaceId, rebuild.id))?.state).toBe("queued");
    expect(await claimRebuild("dead")).toMatchObject({ id: rebuild.id });
    expect(await claimRebuild("other")).toBeNull();
    await pool().query("UPDATE view_rebuilds SET beat_at = now() - interval '2 minutes'");
    expect(await claimRebuild("other")).toMatchObject({ id: rebuild.id });
  }, 60_000);

  it("is nobody else's to see or to stop", async () => {
    const workspaceId = await withEvents(5, 5);
    const other = await makeWorkspace();
    const { rebuild } = await insertRebuild(workspaceId, ask);
    expect(await findRebuild(other.workspaceId, rebuild.id)).toBeNull();
    expect(await requestStop(other.workspaceId, rebuild.id)).toBe(false);
    expect((await findRebuild(workspaceId, rebuild.id))?.state).toBe("queued");
  });
});
