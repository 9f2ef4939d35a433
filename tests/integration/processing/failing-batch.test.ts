import { describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { processEvents } from "#lib/flows/processing/process-events";
import { whileApplying } from "#tests/support/applying";
import { useDatabase } from "#tests/support/database";
import { append } from "#tests/support/log-writer";
import { EVERY_TRY } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = 20;

/** From now on the database fails in this way when it applies the event. */
async function failFor(eventId: string, sqlState: string): Promise<void> {
  await whileApplying(
    "fail",
    `IF event.event_id = '${eventId}' THEN RAISE EXCEPTION 'made to fail' USING ERRCODE = '${sqlState}'; END IF;`,
  );
}

/** Events of which the 18th fails in this way. */
async function failingBatch(sqlState: string) {
  const { workspaceId, sourceId } = await makeWorkspace();
  const ids = Array.from({ length: EVENTS }, (_, n) => `evt_${sqlState}_${n}`);
  const upload = (eventId: string) => ({ eventId, type: "document.uploaded", created: 100, data: { documentId: `doc_${eventId}` } });
  await append(workspaceId, sourceId, ids.map(upload));
  const [before = "", failing = ""] = ids.slice(16);
  await failFor(failing, sqlState);
  return { workspaceId, before, failing };
}

/** Works until nothing is due, through whatever a round throws. @returns how many rounds threw */
async function drain(): Promise<number> {
  let thrown = 0;
  for (let round = 0; round < 400; round += 1) {
    const done = await processEvents().catch(() => {
      thrown += 1;
      return 1;
    });
    if (done === 0) return thrown;
  }
  throw new Error("it goes round in circles");
}

describe("a batch that fails", () => {
  it.each([
    ["an internal error of the database", "XX000"],
    ["a value that it refuses", "22000"],
  ])("is taken apart whatever the reason, here %s: the failing event alone is charged", async (_, sqlState) => {
    const { workspaceId, failing } = await failingBatch(sqlState);
    expect(await drain()).toBeLessThanOrEqual(3);
    const event = await readEvent(workspaceId, failing);
    // On a slow machine the next try may be due before the others are done.
    expect(event?.attempts?.length).toBeGreaterThan(0);
    for (const attempt of event?.attempts ?? [])
      expect(attempt).toMatchObject({ outcome: "retrying", failureCode: "apply_error", failureText: "made to fail" });
    const { rows } = await pool().query(
      `SELECT outcome, count(DISTINCT (received_at, seq)) AS events FROM ${EVERY_TRY} t WHERE workspace_id = $1 GROUP BY outcome ORDER BY 2`,
      [workspaceId],
    );
    expect(rows).toEqual([
      { outcome: "retrying", events: 1 },
      { outcome: "applied", events: EVENTS - 1 },
    ]);
  });

  it.each([
    ["a serialization failure", "40001"],
    ["a deadlock", "40P01"],
    ["a statement that a person cancelled", "57014"],
    ["a lock that was not to be had", "55P03"],
  ])("waits, and nothing is charged to the event that meets %s", async (_, sqlState) => {
    const { workspaceId, failing, before } = await failingBatch(sqlState);
    await drain();
    expect((await readEvent(workspaceId, failing))?.attempts).toEqual([]);
    expect((await readEvent(workspaceId, before))?.state).toBe("processed");
    await failFor("none", sqlState);
    await pool().query("UPDATE inbox SET due_at = now() - interval '1 second'");
    await drain();
    expect((await readEvent(workspaceId, failing))?.attempts).toMatchObject([{ number: 1, outcome: "applied" }]);
  });
});
