import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { untilTaken } from "#tests/support/impatient-sender";
import { startReceiver } from "#tests/support/receiver-process";
import { atSize } from "#tests/support/sample";
import { countWaiting, EVERY_TRY } from "#tests/support/waiting";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();

const TIMES = atSize(200, 60);
const PROCESSES = 4;

it("acknowledges one event that comes 200 times at once over four processes 200 times, stores it once and applies it once", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const processes = Array.from({ length: PROCESSES }, () => startReceiver(database.url()));
  const [addresses] = await Promise.all([Promise.all(processes), startWorker(database.url()), startWorker(database.url())]);
  const message = signed(envelope({ id: "evt_crowd", type: "document.uploaded", data: { documentId: "doc_crowd" } }));
  // Each process knows the source before the crowd comes.
  for (const address of addresses) await fetch(`${address}/webhooks/${source}`, { method: "POST", body: "{}" });
  const answers = await Promise.all(
    Array.from({ length: TIMES }, async (_, n) => {
      const answer = await untilTaken(() => fetch(`${addresses[n % PROCESSES]}/webhooks/${source}`, { method: "POST", ...message }));
      return { status: answer.status, ...((await answer.json()) as { duplicate: boolean }) };
    }),
  );
  const acknowledged = answers.filter(({ status }) => status === 200).length;
  const fresh = answers.filter(({ duplicate }) => duplicate === false).length;
  await expect.poll(() => countWaiting()).toBe(0);
  const { rows } = await pool().query<{ stored: number; repeats: number; applied: number; shown: number }>(
    `SELECT (SELECT count(*) FROM events WHERE workspace_id = $1) AS stored, (SELECT sum(repeats) FROM event_keys WHERE workspace_id = $1) AS repeats,
       (SELECT count(*) FROM ${EVERY_TRY} t WHERE workspace_id = $1) AS applied, (SELECT count(*) FROM views WHERE workspace_id = $1) AS shown`,
    [workspaceId],
  );
  expect({ acknowledged, ...rows[0] }).toMatchObject({ acknowledged: TIMES, stored: 1, applied: 1, shown: 1 });
  // A commit whose answer came too late was answered with 503, and its sender sent again.
  expect(fresh).toBeLessThanOrEqual(1);
  expect(rows[0]?.repeats).toBeGreaterThanOrEqual(TIMES - 1);
  figure(
    `one event ${TIMES} times at once over ${PROCESSES} processes: ${acknowledged} acknowledged, ${rows[0]?.stored} row, ${rows[0]?.applied} effect`,
  );
}, 120_000);
