import { expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { findEvent } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { processEvents } from "#lib/flows/processing/process-events";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { countWaiting, EVERY_TRY } from "#tests/support/waiting";

useDatabase();

type World = { workspaceId: WorkspaceId; sourceId: SourceId };

/** Short enough that the whole patience with an event passes many times in a test. */
const WAITS = { batchMs: 100, carefulMs: 100, aloneMs: 50, againMs: 0 };
const ROUNDS = 15;

const upload = (n: number, documentId: string) => {
  return { eventId: `evt_${n}`, type: "document.uploaded", created: 100 + n, data: { documentId } };
};

/** Works while another client of the database holds a lock. */
async function whileLocked(sql: string, work: () => Promise<void>): Promise<void> {
  const other = await beginWith(sql);
  await work();
  await other.end("ROLLBACK");
}

/** Works so many rounds, through whatever one throws. */
async function work(rounds = ROUNDS): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await processEvents(1000, WAITS).catch(() => undefined);
}

async function triesOf(workspaceId: WorkspaceId): Promise<{ outcome: string; tries: number; events: number }[]> {
  const { rows } = await pool().query<{ outcome: string; tries: number; events: number }>(
    `SELECT outcome, count(*) AS tries, count(DISTINCT seq) AS events FROM ${EVERY_TRY} t WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`,
    [workspaceId],
  );
  return rows;
}

const stateOf = async ({ workspaceId }: World, n: number) => (await findEvent(workspaceId, `evt_${n}`))?.summary.state;

/** Ten records; the events of `doc_3` are three of twelve. */
async function makeEvents(): Promise<World> {
  const world = await makeApplied([upload(0, "doc_3")]);
  const later = Array.from({ length: 12 }, (_, n) => upload(1 + n, `doc_${n % 5}`));
  await append(world.workspaceId, world.sourceId, later);
  return world;
}

it("a record that another client has locked holds up its own events alone, and charges none of them", async () => {
  const world = await makeEvents();
  const { workspaceId } = world;
  const lock = `SELECT 1 FROM views WHERE workspace_id = '${workspaceId}' AND id = 'doc_3' FOR UPDATE`;
  await whileLocked(lock, async () => {
    await work();
    expect(await triesOf(workspaceId)).toEqual([{ outcome: "applied", tries: 11, events: 11 }]);
    expect(await countWaiting(workspaceId)).toBe(2);
    expect(await stateOf(world, 4)).toBe("pending");
    expect((await readEvent(workspaceId, "evt_4"))?.attempts).toEqual([]);
    // Events that arrive now are applied too, and those stored for the locked record wait.
    await append(workspaceId, world.sourceId, [upload(20, "doc_3"), upload(21, "doc_new")]);
    await work(4);
    expect([await stateOf(world, 20), await stateOf(world, 21)]).toEqual(["pending", "processed"]);
  });
  await drainInbox();
  expect(await triesOf(workspaceId)).toEqual([{ outcome: "applied", tries: 15, events: 15 }]);
  expect((await readEvent(workspaceId, "evt_4"))?.attempts).toMatchObject([{ number: 1, outcome: "applied" }]);
});

it.each([
  ["rewritten (VACUUM FULL)", "LOCK TABLE views IN ACCESS EXCLUSIVE MODE"],
  ["indexed", "CREATE INDEX held_up ON views (updated_at, kind)"],
])("while all records are %s, events wait together, and none is charged or set apart", async (_, lock) => {
  const { workspaceId } = await makeEvents();
  await whileLocked(lock, async () => {
    await work(10);
    expect(await triesOf(workspaceId)).toEqual([{ outcome: "applied", tries: 1, events: 1 }]);
  });
  expect((await pool().query("SELECT 1 FROM inbox WHERE workspace_id = $1", [workspaceId])).rowCount).toBe(0);
  await drainInbox();
  expect(await triesOf(workspaceId)).toEqual([{ outcome: "applied", tries: 13, events: 13 }]);
});

it("an event that is tried alone waits for a lock that is no record's, while others are applied", { tags: ["deep"] }, async () => {
  const failure = (n: number) => {
    return { eventId: `evt_${n}`, type: "document.error", created: 100 + n, data: { documentId: `doc_${n}`, error: "Timeout" } };
  };
  const { workspaceId, sourceId } = await makeApplied([failure(1)]);
  await append(workspaceId, sourceId, [failure(2), ...Array.from({ length: 5 }, (_, n) => upload(10 + n, `doc_${n}`))]);
  await whileLocked(`SELECT 1 FROM issues WHERE workspace_id = '${workspaceId}' FOR UPDATE`, async () => {
    await work();
    expect(await triesOf(workspaceId)).toEqual([{ outcome: "applied", tries: 6, events: 6 }]);
    expect(await countWaiting(workspaceId)).toBe(1);
  });
  await drainInbox();
  expect(await triesOf(workspaceId)).toEqual([{ outcome: "applied", tries: 7, events: 7 }]);
});
