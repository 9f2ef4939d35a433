import type pg from "pg";
import { describe, expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { randomEvents } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";

useDatabase();

/** Takes a lock that the comparison needs after it has read the log, and that workers don't need. */
const holdComparison = () => beginWith("LOCK TABLE event_keys IN ACCESS EXCLUSIVE MODE");

async function release(client: pg.PoolClient): Promise<void> {
  await client.query("COMMIT");
  client.release();
}

/** Views of which one is wrong, so that a rebuild has something to write; an append stays open below later ones. */
async function withHeldAppend(): Promise<{ workspaceId: WorkspaceId; sourceId: SourceId; held: pg.PoolClient }> {
  const { workspaceId, sourceId } = await makeApplied(randomEvents(100, 1));
  const held = await beginAppend(workspaceId, sourceId, {
    eventId: "evt_held",
    type: "document.uploaded",
    created: 5,
    data: { documentId: "doc_held" },
  });
  await append(workspaceId, sourceId, randomEvents(50, 2));
  await drainInbox();
  await pool().query("UPDATE views SET state = 'forged' WHERE workspace_id = $1 AND kind = 'document'", [workspaceId]);
  return { workspaceId, sourceId, held };
}

const findHeld = (workspaceId: WorkspaceId) =>
  pool().query("SELECT 1 FROM views WHERE workspace_id = $1 AND kind = 'document' AND id = 'doc_held'", [workspaceId]);

describe("a rebuild while an append with a lower position is still open", () => {
  it("keeps the event that commits and is applied between the comparison and the swap", { tags: ["deep"] }, async () => {
    const { workspaceId, held } = await withHeldAppend();
    const blocker = await holdComparison();
    let comparing = 0;
    let applied: Promise<void> | null = null;
    const report = await rebuild(workspaceId, {
      onProgress: ({ phase }) => {
        // The first report is made before the comparison's snapshot, the second inside it.
        if (phase === "comparing") comparing += 1;
        if (comparing === 2)
          applied ??= (async () => {
            await release(held);
            await drainInbox();
            await blocker.end();
          })();
      },
    });
    await applied;
    expect(report.corrected).toBeGreaterThan(0);
    expect((await findHeld(workspaceId)).rowCount).toBe(1);
    const check = await rebuild(workspaceId, { dryRun: true });
    expect(check).toMatchObject({ events: 151, missing: 0, surplus: 0, different: 0, waiting: 0 });
    for (const { live, rebuilt } of check.kinds) expect(rebuilt).toEqual(live);
  });

  it("counts each event once, though it reads those beyond the horizon again", { tags: ["deep"] }, async () => {
    const { workspaceId, held } = await withHeldAppend();
    expect((await rebuild(workspaceId)).events).toBe(150);
    await release(held);
    await drainInbox();
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 151, missing: 0, surplus: 0, different: 0 });
  });
});
