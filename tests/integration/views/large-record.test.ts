import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readView } from "#lib/flows/views/read-views";
import type { FoldableEvent } from "#lib/views/fold/plan";
import type { Register, Registers } from "#lib/views/fold/register";
import { findView } from "#lib/views/view-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { append, drainInbox } from "#tests/support/log-writer";
import { shuffledWithRepeats } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const nothing = { missing: 0, surplus: 0, different: 0 };
const START = 1_790_000_000;

/** Events that each bring 39 fields which no event before has named. */
const growing = (events: number): FoldableEvent[] =>
  Array.from({ length: events }, (_, n) => ({
    eventId: `grow_${n}`,
    type: "document.uploaded",
    created: START + n,
    data: { documentId: "doc_large", ...Object.fromEntries(Array.from({ length: 39 }, (_each, m) => [`field ${n} ${m}`, `value ${n}`])) },
  }));

/** The registers as the code of before had made them: every field of every event. */
function withoutBound(events: FoldableEvent[]): Registers {
  const registers: Registers = {};
  for (const { eventId, created, data } of events) {
    const writer = (v: unknown): Register => ({ v, at: created, rank: 10, id: eventId });
    registers.state = writer("uploaded");
    registers.uploadedAt = writer(new Date(created * 1000).toISOString());
    for (const [name, value] of Object.entries(data)) if (name !== "documentId") registers[`data.${name}`] = writer(value);
  }
  return registers;
}

async function bytesOf(workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await pool().query<{ bytes: number }>(
    "SELECT length(registers::text) AS bytes FROM views WHERE workspace_id = $1 AND id = 'doc_large'",
    [workspaceId],
  );
  return rows[0]?.bytes ?? 0;
}

async function expectSame(workspaceId: WorkspaceId): Promise<void> {
  const report = await rebuild(workspaceId, { dryRun: true });
  expect(report).toMatchObject(nothing);
  for (const { live, rebuilt } of report.kinds) expect(rebuilt).toEqual(live);
}

describe("a record whose events name ever new fields", () => {
  it("stays small, says that there are more, and is the same live, rebuilt and as of its last event", { tags: ["deep"] }, async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const events = growing(900);
    await append(workspaceId, sourceId, shuffledWithRepeats(events, 0.2, 3));
    await drainInbox(2);
    const bytes = await bytesOf(workspaceId);
    expect(bytes).toBeLessThan(40_000);
    const now = await readView(workspaceId, "document", "doc_large", null);
    expect(now).toMatchObject({ fieldsLeftOut: true, lastEventAt: new Date((START + 899) * 1000).toISOString() });
    expect(Object.keys(now?.fields ?? {}).filter((field) => field.startsWith("data."))).toHaveLength(200);
    const then = await readView(workspaceId, "document", "doc_large", new Date((START + 899) * 1000).toISOString());
    expect(then?.fields).toEqual(now?.fields);
    await expectSame(workspaceId);
    figure(`900 events with 39 fresh fields each on one document: ${bytes} bytes, live = rebuilt`);
  });

  it.each(["its next event", "a rebuild"])(
    "comes back to its bound by %s when it was made before there was one",
    { tags: ["deep"] },
    async (by) => {
      const { workspaceId, sourceId } = await makeWorkspace();
      const events = growing(300);
      await append(workspaceId, sourceId, events);
      await drainInbox();
      await pool().query("UPDATE views SET registers = $2 WHERE workspace_id = $1 AND id = 'doc_large'", [
        workspaceId,
        JSON.stringify(withoutBound(events)),
      ]);
      expect(await bytesOf(workspaceId)).toBeGreaterThan(500_000);
      expect((await findView(workspaceId, "document", "doc_large"))?.fieldsLeftOut).toBe(true);
      if (by === "a rebuild") expect(await rebuild(workspaceId)).toMatchObject({ different: 1, corrected: 1 });
      else {
        const next = {
          eventId: "next",
          type: "document.processed",
          created: START + 900,
          data: { documentId: "doc_large", status: "completed" },
        };
        await append(workspaceId, sourceId, [next]);
        await drainInbox();
      }
      expect(await bytesOf(workspaceId)).toBeLessThan(40_000);
      await expectSame(workspaceId);
    },
  );
});
