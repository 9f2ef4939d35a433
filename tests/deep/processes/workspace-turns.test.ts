import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { whileApplying } from "#tests/support/applying";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { fillLog } from "#tests/support/large-log";
import { append } from "#tests/support/log-writer";
import { atSize, expectPace } from "#tests/support/pace";
import { countWaiting } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();

const WAITING = atSize(9000, 1500);
const LIMIT_MS = 5000;

/** Each event of this workspace takes the database a while. */
async function makeSlow(workspaceId: WorkspaceId, seconds: number): Promise<void> {
  await whileApplying("take_long", `IF event.workspace_id = '${workspaceId}' THEN PERFORM pg_sleep(${seconds}); END IF;`);
}

const upload = (n: number) => ({ eventId: `evt_${n}`, type: "document.uploaded", created: 100 + n, data: { documentId: `doc_${n}` } });

/** @returns milliseconds until nothing of the workspace waits any more */
async function applied(workspaceId: WorkspaceId): Promise<number> {
  const since = performance.now();
  while ((await countWaiting(workspaceId)) > 0 && performance.now() - since < 60_000) await sleep(20);
  return Math.round(performance.now() - since);
}

it("an event of one workspace does not wait for the slow events of another", { timeout: 120_000 }, async () => {
  const [slow, other] = [await makeWorkspace(), await makeWorkspace()];
  await fillLog({ ...slow, events: WAITING, waiting: true, days: 1, run: "slow" });
  await makeSlow(slow.workspaceId, 0.02);
  await append(other.workspaceId, other.sourceId, [upload(1)]);
  await startWorker(database.url());
  const behind = await applied(other.workspaceId);
  // In the middle of its work on the others, and a few times: whatever it is about.
  const amid: number[] = [];
  for (let n = 2; n < atSize(8, 3); n += 1) {
    await sleep(700);
    await append(other.workspaceId, other.sourceId, [upload(n)]);
    amid.push(await applied(other.workspaceId));
  }
  const left = await countWaiting(slow.workspaceId);
  figure(`behind ${WAITING} slow events of another workspace an event is applied in ${behind} ms, amid them in ${amid.join(", ")} ms`);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(WAITING);
  for (const ms of [behind, ...amid]) expectPace(ms, LIMIT_MS);
});
