import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { indexEvents, workSearchIndex } from "#lib/flows/events/index-for-search";
import { workInbox } from "#lib/flows/processing/process-events";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
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

const found = async (workspaceId: WorkspaceId, q: string) => (await listEvents(workspaceId, { q }, { limit: 100 })).data.length;
const filed = async () => (await pool().query<{ n: number }>("SELECT count(*) AS n FROM event_search")).rows[0]?.n;
const settle = () => pool().query("UPDATE log_ranges SET ended_at = ended_at - interval '1 minute'");

it("the worker that applies events files them, also those that could not be applied", async () => {
  const workspaceId = await fill("amber");
  await applyAll();
  await expect.poll(() => found(workspaceId, "amber"), { timeout: 5000 }).toBe(EVENTS);
  expect(await indexEvents()).toBe(0);
});

it("what it could not file is filed once it is settled, and not before", async () => {
  const before = (await filed()) ?? 0;
  const workspaceId = await fill("birch");
  try {
    await pool().query("ALTER TABLE event_search ADD CONSTRAINT none CHECK (seq < 0) NOT VALID");
    await applyAll();
    await new Promise((resolve) => setTimeout(resolve, 300)); // it has tried, and failed
  } finally {
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
