import type pg from "pg";
import { describe, expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { RebuildReport } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { FOLDED_COLUMNS } from "#lib/views/stored-record";
import { useDatabase } from "#tests/support/database";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { randomEvents, shuffledWithRepeats } from "#tests/support/random-events";
import { forgetEvents, rebuild } from "#tests/support/rebuild";
import { atSize } from "#tests/support/sample";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const differing = ({ missing, surplus, different }: RebuildReport) => ({ missing, surplus, different });
const nothing = { missing: 0, surplus: 0, different: 0 };

/** All views of a workspace to the byte, without the moment of their writing. */
async function dump(workspaceId: WorkspaceId): Promise<string> {
  const { rows } = await pool().query(
    `SELECT kind, id, ${FOLDED_COLUMNS.map((name) => `${name}::text AS ${name}`).join(", ")} FROM views WHERE workspace_id = $1 ORDER BY id, kind`,
    [workspaceId],
  );
  return JSON.stringify(rows);
}

const filled = (events: number, seed: number) => makeApplied(shuffledWithRepeats(randomEvents(events, seed), 0.3, seed), { workers: 4 });

describe("rebuilding the views from the log", () => {
  it("gives to the byte what four workers made of shuffled and repeated events", async () => {
    const events = atSize(4000, 300);
    const { workspaceId } = await filled(events, 1);
    const report = await rebuild(workspaceId, { dryRun: true });
    expect(report).toMatchObject({ ...nothing, events, carriedFields: 0, waiting: 0, corrected: 0 });
    expect(report.kinds.map(({ kind }) => kind)).toEqual(["automation", "document", "integration", "pipeline", "run", "task"]);
    for (const { live, rebuilt } of report.kinds) expect(rebuilt).toEqual(live);
    expect(report.moves).toMatchObject({ ...nothing, carried: 0 });
  });

  it("names each wrong field with both values, and a missing and a surplus record, and mends them", async () => {
    const { workspaceId } = await filled(200, 2);
    const before = await dump(workspaceId);
    const { rows } = await pool().query<{ id: string }>(
      "SELECT id FROM views WHERE workspace_id = $1 AND kind = 'task' ORDER BY id LIMIT 2",
      [workspaceId],
    );
    const [wrong, lost] = rows.map(({ id }) => id);
    await pool().query(
      `UPDATE views SET registers = jsonb_set(registers, '{state,v}', '"forged"'), state = 'forged' WHERE workspace_id = $1 AND id = $2 AND kind = 'task'`,
      [workspaceId, wrong],
    );
    await pool().query("DELETE FROM views WHERE workspace_id = $1 AND id = $2 AND kind = 'task'", [workspaceId, lost]);
    await pool().query(
      `INSERT INTO views (workspace_id, kind, id, registers, state, last_created)
       VALUES ($1, 'document', 'doc_of_nobody', '{"state":{"v":"uploaded","at":4000000000,"rank":10,"id":"evt_never"}}', 'uploaded', 4000000000)`,
      [workspaceId],
    );
    const check = await rebuild(workspaceId, { dryRun: true });
    expect(differing(check)).toEqual({ missing: 1, surplus: 1, different: 1 });
    expect(check.differences.find(({ id }) => id === wrong)).toMatchObject({ kind: "task", field: "state", live: { value: "forged" } });
    expect(check.kinds.filter(({ live, rebuilt }) => live.hash !== rebuilt.hash).map(({ kind }) => kind)).toEqual(["document", "task"]);
    expect(await dump(workspaceId)).not.toBe(before);
    expect((await rebuild(workspaceId)).corrected).toBe(3);
    expect(await dump(workspaceId)).toBe(before);
    expect(differing(await rebuild(workspaceId, { dryRun: true }))).toEqual(nothing);
  });

  it("corrects a column that lists go by, though the fields beside it are right", async () => {
    const { workspaceId } = await filled(100, 3);
    const before = await dump(workspaceId);
    await pool().query("UPDATE views SET state = 'other', failed = NOT failed WHERE workspace_id = $1", [workspaceId]);
    expect((await rebuild(workspaceId)).corrected).toBeGreaterThan(10);
    expect(await dump(workspaceId)).toBe(before);
  });

  it("knows every column of a view, so that none can go unchecked", async () => {
    const { rows } = await pool().query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'views'",
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...FOLDED_COLUMNS, "changed_xid", "id", "kind", "updated_at", "workspace_id"].sort(),
    );
  });

  it("loses and doubles nothing while events flow in and are applied, and mends what is wrong all the same", {
    tags: ["deep"],
  }, async () => {
    const stored = atSize(3000, 600);
    const { workspaceId, sourceId } = await filled(stored, 4);
    await pool().query("UPDATE views SET registers = registers - 'state' WHERE workspace_id = $1 AND kind = 'document'", [workspaceId]);
    const more = randomEvents(atSize(8000, 1500), 5).map((event) => ({
      ...event,
      data: { ...event.data, documentId: `doc_4_${event.created % 300}` },
    }));
    const reports: RebuildReport[] = [];
    let [flowing, sent] = [true, 0];
    const inflow = (async () => {
      for (; sent < more.length && reports.length < 2; sent += 20) await append(workspaceId, sourceId, more.slice(sent, sent + 20));
      flowing = false;
    })();
    const workers = (async () => {
      while (flowing) await drainInbox(2);
    })();
    while (flowing) reports.push(await rebuild(workspaceId));
    await Promise.all([inflow, workers]);
    await drainInbox(2);
    expect(reports[0]?.corrected).toBeGreaterThan(0);
    for (const later of reports.slice(1)) expect(differing(later)).toEqual(nothing);
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ ...nothing, events: stored + sent, waiting: 0 });
  });

  it("keeps what the log has let go of, and corrects what it still holds", { tags: ["deep"] }, async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const event = (eventId: string, created: number, data: object, type = "document.uploaded") => ({
      eventId,
      type,
      created,
      data: { ...data },
    });
    await append(workspaceId, sourceId, [
      event("old_1", 1000, { documentId: "doc_gone", name: "gone.pdf" }),
      event("old_2", 1000, { documentId: "doc_half", name: "half.pdf" }),
    ]);
    await append(workspaceId, sourceId, [event("new_1", 2000, { documentId: "doc_half", status: "completed" }, "document.processed")]);
    await drainInbox();
    const before = await dump(workspaceId);
    await forgetEvents(["old_1", "old_2"]);
    expect(await rebuild(workspaceId)).toMatchObject({ ...nothing, carriedFields: 5, corrected: 0, events: 1 });
    expect(await dump(workspaceId)).toBe(before);
    await pool().query(
      `UPDATE views SET registers = jsonb_set(registers, '{status,v}', '"forged"') WHERE workspace_id = $1 AND id = 'doc_half'`,
      [workspaceId],
    );
    expect(await rebuild(workspaceId)).toMatchObject({ different: 1, corrected: 1 });
    expect(await dump(workspaceId)).toBe(before);
    await forgetEvents(["new_1"]);
    expect(await rebuild(workspaceId)).toMatchObject({ ...nothing, events: 0, logBegins: null });
    expect(await dump(workspaceId)).toBe(before);
  });

  it("touches no other workspace", async () => {
    const mine = await filled(50, 10);
    const other = await filled(50, 11);
    await pool().query("UPDATE views SET state = 'forged' WHERE workspace_id = $1", [other.workspaceId]);
    const before = await dump(other.workspaceId);
    expect(await rebuild(mine.workspaceId)).toMatchObject({ ...nothing, events: 50 });
    expect(await dump(other.workspaceId)).toBe(before);
  });
});

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
