import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import type { LoggedEvent } from "#lib/db/sql";
import { readLogAfter, readLogBefore, type ScannedEvent } from "#lib/events/log/scan-store";
import { exportEvents } from "#lib/flows/events/export-events";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { appendEvents } from "#lib/ingest/log-store";
import { listWaiting } from "#lib/processing/backlog-store";
import { beginClaim, claimRanges, readRanges } from "#lib/processing/log-range-store";
import { listRedeliveryItems } from "#lib/processing/redelivery-store";
import { findLocked, insertNewViews, lockViews } from "#lib/views/view-store";
import { useDatabase } from "#tests/support/database";
import { newEvent } from "#tests/support/new-event";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = 24;
const MEGABYTE = 1_048_576;
const BOUND = 16;
/** Larger than the bound alone. So many come before it that they need a second read. */
const GIANT = 20 * MEGABYTE;
const GIANT_AT = 20;

let workspaceId: WorkspaceId;
let sourceId: SourceId;

const bodyOf = (n: number) => {
  const head = `{"id":"evt_${n}","type":"document.uploaded","created":${n},"data":{"documentId":"doc_${n}","text":"`;
  return Buffer.from(`${head}${"x".repeat((n === GIANT_AT ? GIANT : MEGABYTE) - head.length - 3)}"}}`);
};

const megabytesOf = (found: { body: Buffer }[]) => found.reduce((sum, { body }) => sum + body.length, 0) / MEGABYTE;

beforeAll(async () => {
  ({ workspaceId, sourceId } = await makeWorkspace());
  for (let n = 0; n < EVENTS; n += 1) {
    const event = { workspaceId, sourceId, eventId: `evt_${n}`, type: "document.uploaded", created: n, body: bodyOf(n) };
    await appendEvents(pool(), [newEvent(event)]);
  }
});

/** Reads to the end. @returns what each call read, in MB, and how many events they were together */
async function readAll<T extends { body: Buffer }>(read: (last: T | null) => Promise<T[]>) {
  const megabytes: number[] = [];
  let count = 0;
  for (let last: T | null = null; ; ) {
    const found: T[] = await read(last);
    if (found.length === 0) return { megabytes, count };
    megabytes.push(megabytesOf(found));
    count += found.length;
    last = found.at(-1) ?? null;
  }
}

function expectBounded({ megabytes, count }: { megabytes: number[]; count: number }): void {
  expect(count).toBe(EVENTS);
  // Events of which one is larger than the bound: full reads, and that one alone.
  expect(megabytes.filter((size) => size > BOUND)).toEqual([GIANT / MEGABYTE]);
  expect(megabytes.length).toBeLessThanOrEqual(4);
}

describe("bodies are read 16 MB at a time, and one that is larger alone", () => {
  it("by a rebuild, in the order of receipt", { tags: ["deep"] }, async () => {
    const client = await pool("worker").connect();
    const end = "9223372036854775807";
    expectBounded(await readAll<ScannedEvent>((last) => readLogBefore(client, workspaceId, end, last, 500)));
    client.release();
  });

  it("by a rebuild, in the order of transactions, which is told when more waits", { tags: ["deep"] }, async () => {
    const client = await pool("worker").connect();
    const more: boolean[] = [];
    const read = async (last: ScannedEvent | null) => {
      const page = await readLogAfter(client, workspaceId, last ?? { xid: "0", seq: 0 }, null, 500);
      if (page.events.length > 0) more.push(page.more);
      return page.events;
    };
    expectBounded(await readAll<ScannedEvent>(read));
    client.release();
    expect(more).toEqual([...more.slice(1).map(() => true), false]);
  });

  it("by a comparison, of what waits", { tags: ["deep"] }, async () => {
    const client = await pool("worker").connect();
    const pages = listWaiting(client, workspaceId, 500);
    expectBounded(await readAll<LoggedEvent>(async () => (await pages.next()).value ?? []));
    client.release();
  });

  it("by the dry run of a re-delivery", { tags: ["deep"] }, async () => {
    const request = { now: new Date(), name: null, requestedBy: "ada@example.com", hold: true };
    const { id } = await redeliverSet(workspaceId, { filter: {} }, request);
    expectBounded(
      await readAll<Awaited<ReturnType<typeof listRedeliveryItems>>[number]>((last) =>
        listRedeliveryItems(workspaceId, id ?? "", last, { limit: 500, bytes: BOUND * 1_048_576 }),
      ),
    );
  });

  it("by the search, until all is filed", { tags: ["deep"] }, async () => {
    const filed: number[] = [];
    for (let count = await indexEvents(); count > 0; count = await indexEvents()) filed.push(count);
    expect(filed.reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
    expect(Math.max(...filed)).toBeLessThanOrEqual(BOUND);
  });

  it("by a claim", async () => {
    await inTransaction(pool("worker"), async (client) => {
      const claim = await beginClaim(client);
      expect(await claimRanges(claim, { workspaceIds: [workspaceId], limit: 250, share: 250 })).toBe(BOUND);
      expect(await readRanges(client, claim)).toHaveLength(BOUND);
    });
  });

  it("by an export, which yields every event", { tags: ["deep"] }, async () => {
    let count = 0;
    let largest = 0;
    for await (const piece of exportEvents(workspaceId, {}, "ndjson", new Date())) {
      count += piece.split("\n").length - 1;
      largest = Math.max(largest, piece.length);
    }
    expect(count).toBe(EVENTS);
    expect(largest).toBeLessThan(GIANT + MEGABYTE);
  });
});

it("records are loaded 16 MB at a time too, however small the events are that touch them", { tags: ["deep"] }, async () => {
  // PostgreSQL compresses what repeats.
  const text = () => randomBytes(MEGABYTE / 2).toString("base64");
  const keys = Array.from({ length: 40 }, (_, n) => ({ workspaceId, kind: "document" as const, id: `doc_large_${n}` }));
  await inTransaction(pool("worker"), async (client) => {
    for (const key of keys) await insertNewViews(client, [{ ...key, registers: { name: { v: text(), at: 1, rank: 1, id: "evt" } } }]);
  });
  await inTransaction(pool("worker"), async (client) => {
    const found = await lockViews(client, keys);
    expect(found.size).toBe(keys.length);
    const loaded = [...found.values()].filter((registers) => registers !== null);
    expect(loaded.length).toBeGreaterThan(0);
    expect(JSON.stringify(loaded).length).toBeLessThanOrEqual(BOUND * MEGABYTE);
    const left = keys.slice(loaded.length);
    expect([...(await findLocked(client, left)).values()].filter((registers) => registers !== null).length).toBeGreaterThan(0);
  });
});
