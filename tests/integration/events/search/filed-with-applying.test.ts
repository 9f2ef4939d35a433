import { expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { indexEvents, workSearchIndex } from "#lib/flows/events/index-for-search";
import { workInbox } from "#lib/flows/processing/process-events";
import { captureLog } from "#tests/support/captured-log";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = 30;

async function fill(word: string): Promise<WorkspaceId> {
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    eventId: `evt_${word}_${n}`,
    type: n % 3 === 0 ? "task.created" : "document.uploaded", // those without an ID can't be applied
    created: 1_760_000_000,
    data: n % 3 === 0 ? { note: word } : { documentId: `doc_${n}`, note: word },
  }));
  await append(workspaceId, sourceId, events);
  return workspaceId;
}

async function applyAll(): Promise<void> {
  while (await workInbox());
}

const found = async (workspaceId: WorkspaceId, q: string) =>
  (await listEvents(workspaceId, { q }, { now: new Date(), limit: 100, timeLimitMs: 30_000 })).data.length;
const filed = async () => (await pool().query<{ n: number }>("SELECT count(*) AS n FROM event_search")).rows[0]?.n;
const settle = () => pool().query("UPDATE log_ranges SET ended_at = ended_at - interval '1 minute'");

it("the worker that applies events files them, also those that could not be applied", async () => {
  const workspaceId = await fill("amber");
  await applyAll();
  await expect.poll(() => found(workspaceId, "amber"), { timeout: 60_000 }).toBe(EVENTS);
  expect(await indexEvents()).toBe(0);
});

it("what it could not file is filed once it is settled, and not before", async () => {
  const before = (await filed()) ?? 0;
  const workspaceId = await fill("birch");
  const log = captureLog();
  try {
    await pool().query("ALTER TABLE event_search ADD CONSTRAINT none CHECK (seq < 0) NOT VALID");
    await applyAll();
    await expect.poll(log.text).toContain("can't index applied events");
  } finally {
    log.stop();
    await pool().query("ALTER TABLE event_search DROP CONSTRAINT none");
  }
  while (await workSearchIndex());
  expect(await filed()).toBe(before);
  await settle();
  while (await workSearchIndex());
  expect(await found(workspaceId, "birch")).toBe(EVENTS);
  expect(await filed()).toBe(before + EVENTS);
});

it("what waits to be applied is left to the worker that will apply it", async () => {
  const before = (await filed()) ?? 0;
  const workspaceId = await fill("cedar");
  while (await workSearchIndex());
  expect(await filed()).toBe(before);
  expect(await indexEvents()).toBe(EVENTS);
  expect(await found(workspaceId, "cedar")).toBe(EVENTS);
  await applyAll();
  await expect.poll(async () => (await pool().query("SELECT 1 FROM log_ranges WHERE ended_at IS NULL")).rowCount).toBe(0);
  expect(await filed()).toBe(before + EVENTS);
});

it("a worker that died long ago is made up for, although other workspaces apply events all the time", async () => {
  const lost = await fill("dogwood");
  const quiet = await fill("elder");
  await applyAll();
  await pool().query("DELETE FROM event_search WHERE workspace_id = $1", [lost]);
  await settle();
  // The next event of a workspace that was quiet: its range begins where the one before ended, before what is not filed.
  const { rows } = await pool().query<{ id: SourceId }>("SELECT id FROM sources WHERE workspace_id = $1", [quiet]);
  for (const { id } of rows)
    await append(quiet, id, [{ eventId: "evt_late", type: "document.uploaded", created: 1_760_000_000, data: { documentId: "d" } }]);
  await pool().query(
    "UPDATE log_places SET (xid, seq) = (SELECT xid, seq FROM events ORDER BY xid DESC, seq DESC LIMIT 1) WHERE workspace_id = $1",
    [quiet],
  );
  await pool().query(
    `INSERT INTO log_ranges (claim, workspace_id, from_xid, from_seq, to_xid, to_seq, events, state, ended_at)
     SELECT 0, g.workspace_id, '0', 0, e.xid, e.seq, 1, 'applied', now() FROM log_ranges g, events e WHERE g.workspace_id = $1 AND e.event_id = 'evt_late' LIMIT 1`,
    [quiet],
  );
  while (await workSearchIndex());
  expect(await found(lost, "dogwood")).toBe(EVENTS);
});

it("a table of the search that somebody holds does not hold up the applying", { tags: ["deep"] }, async () => {
  await beginWith("LOCK TABLE event_search IN SHARE MODE");
  const since = performance.now();
  for (const word of ["fir", "gorse", "hazel"]) {
    await fill(word);
    await applyAll();
  }
  expectPace(performance.now() - since, 8000);
});
