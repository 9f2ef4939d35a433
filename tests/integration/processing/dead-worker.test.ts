import { fork } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { MAX_ATTEMPTS } from "#lib/processing/failures";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { append } from "#tests/support/log-writer";
import { countWaiting, EVERY_TRY } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";

const database = useDatabase();

const ROOT = path.resolve(import.meta.dirname, "../../..");
const EVENTS = 60;
const DEADLY_AT = 31;

/** A worker that dies of a deadly event. @returns its exit code, or the signal that ended it */
function runMortalWorker(work: "apply" | "search"): Promise<number | string> {
  const child = fork("tests/support/children/mortal-worker.ts", [work], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "test", DATABASE_URL: database.url() },
  });
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
}

async function fill(): Promise<WorkspaceId> {
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    eventId: `evt_${n}`,
    type: "document.uploaded",
    created: 100 + n,
    data: { documentId: `doc_${n}`, note: n === DEADLY_AT ? "kills its worker" : "harmless", word: `word${n}` },
  }));
  await append(workspaceId, sourceId, events);
  return workspaceId;
}

it("an event that kills its worker is tried alone, and becomes a dead letter after its tries while all others are applied", async () => {
  const workspaceId = await fill();
  let deaths = 0;
  while ((await runMortalWorker("apply")) !== 0) {
    deaths += 1;
    // With the batch once, and then alone.
    expect(deaths).toBeLessThanOrEqual(2);
  }
  const tries = await pool().query("SELECT attempts FROM inbox");
  expect([deaths, tries.rows]).toEqual([2, [{ attempts: 1 }]]);
  // As if it had been tried all but once.
  await pool().query("UPDATE inbox SET attempts = $1, due_at = now() - interval '1 second'", [MAX_ATTEMPTS - 1]);
  expect(await runMortalWorker("apply")).not.toBe(0);
  expect(await runMortalWorker("apply")).toBe(0);
  const { rows } = await pool().query("SELECT count(*) AS n FROM views WHERE kind = 'document'");
  expect(rows).toEqual([{ n: EVENTS - 1 }]);
  const { rows: attempts } = await pool().query(`SELECT outcome, count(*) AS n FROM ${EVERY_TRY} t GROUP BY outcome ORDER BY outcome`);
  expect(attempts).toEqual([
    { outcome: "applied", n: EVENTS - 1 },
    { outcome: "failed", n: 1 },
    { outcome: "retrying", n: 1 },
  ]);
  const deadly = await readEvent(workspaceId, `evt_${DEADLY_AT}`);
  expect(deadly?.state).toBe("failed");
  expect(deadly?.failure).toMatchObject({ code: "worker_ended", what: expect.stringContaining("worker process exited") });
  expect((await pool().query("SELECT 1 FROM inbox_claims")).rowCount).toBe(0);
  expect(await countWaiting()).toBe(0);
}, 120_000);

it("an event that kills its worker is passed over by the search, which finds all others", { tags: ["deep"] }, async () => {
  const workspaceId = await fill();
  let deaths = 0;
  while ((await runMortalWorker("search")) !== 0) {
    deaths += 1;
    expect(deaths).toBeLessThanOrEqual(10);
  }
  const { rows } = await pool().query("SELECT count(*) AS n FROM event_search WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([{ n: EVENTS }]);
  const found = (q: string) => listEvents(workspaceId, { q }, { limit: 5, now: new Date() });
  for (const n of [0, DEADLY_AT - 1, DEADLY_AT + 1, EVENTS - 1])
    expect((await found(`word${n}`)).data.map(({ id }) => id)).toEqual([`evt_${n}`]);
  expect((await found(`evt_${DEADLY_AT}`)).data.map(({ id }) => id)).toEqual([`evt_${DEADLY_AT}`]);
});
