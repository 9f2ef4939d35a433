import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readOverview } from "#lib/flows/overview/read-overview";
import { rebuildOutdated } from "#lib/flows/views/rebuild-outdated";
import { listOutdated, saveFold } from "#lib/views/base-store";
import { FOLD_VERSION } from "#lib/views/definitions";
import { useDatabase } from "#tests/support/database";
import { makeApplied } from "#tests/support/log-writer";
import { rebuild } from "#tests/support/rebuild";

useDatabase();

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
