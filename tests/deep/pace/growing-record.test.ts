import { setTimeout as sleep } from "node:timers/promises";
import { it } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { append } from "#tests/support/log-writer";
import { expectPace } from "#tests/support/pace";
import { countWaiting } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();

const GROWING = 9000;
const FIELDS = 39;
const LIMIT_MS = 5000;

const growing = (n: number) => ({
  eventId: `evt_${n}`,
  type: "document.processed",
  created: 1_760_000_000 + n,
  data: { documentId: "doc_growing", ...Object.fromEntries(Array.from({ length: FIELDS }, (_, field) => [`field_${n}_${field}`, n])) },
});

const isApplied = async (documentId: string) =>
  (await pool().query("SELECT 1 FROM views WHERE kind = 'document' AND id = $1 AND last_created > 0", [documentId])).rowCount === 1;

it(`${GROWING} events with ${FIELDS} fresh fields each on one document don't hold up another workspace's document`, {
  timeout: 180_000,
}, async () => {
  const [grower, other] = [await makeWorkspace(), await makeWorkspace()];
  await append(
    grower.workspaceId,
    grower.sourceId,
    Array.from({ length: GROWING }, (_, n) => growing(n)),
  );
  await startWorker(database.url());
  const waits: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    await sleep(1000);
    const since = performance.now();
    const documentId = `doc_${n}`;
    await append(other.workspaceId, other.sourceId, [
      { eventId: `evt_${n}`, type: "document.uploaded", created: 1_760_000_000, data: { documentId } },
    ]);
    while (!(await isApplied(documentId)) && performance.now() - since < 60_000) await sleep(20);
    waits.push(Math.round(performance.now() - since));
  }
  const left = await countWaiting();
  figure(`beside ${GROWING} events with ${FIELDS} fresh fields each (${left} left): another document after ${waits.join(", ")} ms`);
  for (const ms of waits) expectPace(ms, LIMIT_MS);
});
