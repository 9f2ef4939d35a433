import { describe, expect, it } from "vitest";
import { BACK_DATED_HEADERS } from "#lib/contracts/events/back-dated";
import { readDelay } from "#lib/flows/sources/read-sources";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

describe("the delay of a source's events", () => {
  it("is from `created` to the receipt, p50 and p95, for the range and for each bar", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const now = Math.floor(Date.now() / 1000);
    const delays = [2, 2, 2, 2, 2, 2, 2, 2, 2, 60];
    await append(
      workspaceId,
      sourceId,
      delays.map((delay, n) => ({ eventId: `e${n}`, type: "document.uploaded", created: now - delay, data: { documentId: "d" } })),
    );
    const read = await readDelay(workspaceId, sourceId, new Date(), "1h");
    expect(read).toMatchObject({ events: 10, complete: true, stepSeconds: 60 });
    expect(read?.bars).toHaveLength(60);
    expect(read?.p50Ms).toBeGreaterThanOrEqual(2000);
    expect(read?.p50Ms).toBeLessThan(10_000);
    expect(read?.p95Ms).toBeGreaterThanOrEqual(60_000);
    expect(read?.bars.filter(({ events }) => events > 0).map(({ p50Ms }) => (p50Ms ?? 0) >= 2000)).toContain(true);
  });

  it("leaves out the history that the sandbox makes up, and what was sent late or replayed", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const now = Math.floor(Date.now() / 1000);
    const event = (eventId: string, age: number) => ({ eventId, type: "document.uploaded", created: now - age, data: { documentId: "d" } });
    await append(workspaceId, sourceId, [event("now", 2)]);
    await append(workspaceId, sourceId, [
      { ...event("made_up", 3600), headers: BACK_DATED_HEADERS },
      event("replayed", 90_000),
      event("slow", 80_000),
    ]);
    expect(await readDelay(workspaceId, sourceId, new Date(), "1h")).toMatchObject({ events: 2, leftOut: 2, complete: true });
  });

  it("is nothing of a source that received nothing, and of another workspace's source not found", async () => {
    const [mine, other] = [await makeWorkspace(), await makeWorkspace()];
    expect(await readDelay(mine.workspaceId, mine.sourceId, new Date(), "24h")).toMatchObject({ events: 0, p50Ms: null, p95Ms: null });
    expect(await readDelay(mine.workspaceId, other.sourceId, new Date(), "24h")).toBeNull();
  });
});
