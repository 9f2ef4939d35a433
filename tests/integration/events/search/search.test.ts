import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { listEvents } from "#lib/events/event-store";
import { readVolume } from "#lib/events/volume-store";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { drainInbox, fileAll } from "#tests/support/log-writer";
import { beginWith } from "#tests/support/other-session";
import { expectPace } from "#tests/support/pace";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();
let workspaceId: WorkspaceId;
let source: string;

beforeAll(async () => {
  ({ workspaceId, source } = await makeWorkspace());
  await send("evt_a", "document.processed", { documentId: "doc_1", status: "completed", name: "Acme invoice-2024.pdf" });
  await send("evt_b", "document.error", { documentId: "doc_1", status: "failed", errorCode: "E_OCR" });
  await send("evt_c", "document.error", { documentId: "doc_2", status: "failed", name: "O'Hara 100%_done" });
  await send("evt_d", "made.up", { documentId: "doc_2", note: "acme again" });
  await send("evt_e", "task.created", { title: "no task named" });
  await send("evt_b", "document.error", { documentId: "doc_1", status: "failed", errorCode: "E_OCR" });
  await drainInbox();
  await fileAll();
});

async function send(id: string, type: string, data: Record<string, unknown>): Promise<void> {
  const answer = await receiver.send(source, signed(envelope({ id, type, data })));
  expect(answer.status).toBe(200);
}

const find = async (filter: EventFilter, limit = 50) =>
  (await listEvents(workspaceId, filter, { now: new Date(), limit, timeLimitMs: 30_000 })).data.map(({ id }) => id.slice(4)).join("");

describe("the history's search and filters", () => {
  it.each<[string, EventFilter, string]>([
    ["a word of the payload, whatever its case", { q: "ACME" }, "da"],
    ["the beginning of a word", { q: "invo" }, "a"],
    ["two words that both must occur", { q: "acme 2024" }, "a"],
    ["a word with signs that SQL and tsquery know", { q: "o'hara" }, "c"],
    ["a percent sign, which is no wildcard", { q: "1%0" }, ""],
    ["a value at its path", { q: "data.status:failed" }, "cb"],
    ["a value at its path and a word", { q: "data.status:failed e_ocr" }, "b"],
    ["an event's id", { q: "evt_c" }, "c"],
    ["a resource's id", { q: "doc_2" }, "dc"],
    ["terms that are filters", { q: "type:document.error resource:doc_1" }, "b"],
    ["a state as a term", { q: "state:failed" }, "e"],
    ["one type", { type: ["document.error"] }, "cb"],
    ["the beginning of types", { type: ["document.*"] }, "cba"],
    ["the beginning of types, and a type", { type: ["document.err*", "made.up"] }, "dcb"],
    ["the beginning of types as a term", { q: "type:document.*" }, "cba"],
    ["the beginning of types beside a word", { q: "type:document.* acme" }, "a"],
    ["a beginning that no type has", { type: ["invoice.*"] }, ""],
    ["a beginning with signs that SQL knows", { type: ["document_%*"] }, ""],
    ["two types", { type: ["document.error", "made.up"] }, "dcb"],
    ["a word among one type", { q: "failed", type: ["document.error"] }, "cb"],
    ["a word among two types", { q: "acme", type: ["document.processed", "made.up"] }, "da"],
    ["an id among one type", { q: "evt_a", type: ["document.processed"] }, "a"],
    ["a type and a search for another", { type: ["made.up"], q: "type:document.error" }, ""],
    ["a resource of a kind", { resource: "document:doc_1" }, "ba"],
    ["a resource and a type", { resource: "doc_1", type: ["document.processed"] }, "a"],
    ["a resource and a search", { resource: "doc_1", q: "failed" }, "b"],
    ["failed", { state: ["failed"] }, "e"],
    ["unrecognised", { state: ["unrecognised"] }, "d"],
    ["nothing pending", { state: ["pending"] }, ""],
    ["what came more than once", { duplicates: "only" }, "b"],
    ["what came more than once of another type", { duplicates: "only", type: ["made.up"] }, ""],
    ["a moving period", { period: "1h" }, "edcba"],
    ["a period that is over", { to: "2020-01-01T00:00:00Z" }, ""],
    ["a connection that nobody told of", { connection: "con_1" }, ""],
    ["another source", { source: "other" }, ""],
  ])("finds %s", async (_, filter, ids) => {
    expect(await find(filter)).toBe(ids);
  });

  it("pages by cursor through every way of looking, with nothing missed and nothing twice", async () => {
    for (const filter of [
      {},
      { q: "failed" },
      { type: ["document.error", "made.up"] },
      { resource: "doc_2" },
      { duplicates: "only" as const },
    ]) {
      const whole = await find(filter);
      const paged = (await listInPages(workspaceId, filter, 1)).map((id) => id.slice(4)).join("");
      expect(paged).toBe(whole);
    }
  });

  it("finds a received event by its id before it is filed, and shows nothing of another workspace", async () => {
    await send("evt_f", "document.uploaded", { documentId: "doc_9" });
    for (const beside of [{}, { type: ["document.uploaded"] }, { state: ["pending" as const] }])
      expect([beside, await find({ q: "evt_f", ...beside })]).toEqual([beside, "f"]);
    const other = await makeWorkspace();
    for (const filter of [{ q: "acme" }, { q: "evt_a" }, { resource: "doc_1" }, { duplicates: "only" as const }, {}]) {
      expect((await listEvents(other.workspaceId, filter, { now: new Date(), limit: 5 })).data).toEqual([]);
    }
    await drainInbox();
    await fileAll();
  });

  it("files each event once, goes on where it stopped, and lets one process file at a time", async () => {
    for (let n = 0; n < 30; n += 1) await send(`evt_x${n}`, "document.uploaded", { documentId: `doc_x${n}`, mark: "bulk" });
    const filed = await Promise.all(Array.from({ length: 4 }, () => indexEvents(20)));
    expect(filed.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(30);
    while ((await indexEvents(7)) > 0);
    expect((await listEvents(workspaceId, { q: "data.mark:bulk" }, { now: new Date(), limit: 50 })).data).toHaveLength(30);
  });

  it("counts over time: all, what matches, and what failed", async () => {
    const volume = await readVolume(workspaceId, { period: "1h" }, new Date(), { limitMs: 20_000 });
    expect(volume).toMatchObject({ precision: "exact", stepSeconds: 60, total: 36 });
    expect(volume.bars.length).toBeGreaterThanOrEqual(60);
    expect(volume.bars.reduce((sum, { count }) => sum + count, 0)).toBe(36);
    expect(volume.bars.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
    expect(await readVolume(workspaceId, { q: "acme" }, new Date(), { limitMs: 20_000 })).toMatchObject({ precision: "exact", total: 2 });
  });

  it("cuts a search that takes too long, and says how to narrow it", { tags: ["deep"] }, async () => {
    const lock = await beginWith("LOCK TABLE event_search IN ACCESS EXCLUSIVE MODE");
    const started = performance.now();
    await expect(listEvents(workspaceId, { q: "acme" }, { now: new Date(), limit: 5 })).rejects.toMatchObject({
      code: "search_too_slow",
      message: /Narrow it/,
    });
    expectPace(performance.now() - started, 2500);
    expect(await readVolume(workspaceId, { q: "acme" }, new Date())).toMatchObject({ precision: "unknown", total: 0 });
    await lock.end();
    expect(await find({ q: "acme" })).toBe("da");
  });
});
