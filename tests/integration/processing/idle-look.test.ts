import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { listDueInLog } from "#lib/processing/log/due-log-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** A backend reports what it has done at the end of a transaction, once a second at most. */
const REPORTED_MS = 1100;

const rowsReadInTurn = async () => {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT coalesce(sum(seq_tup_read), 0)::int AS n FROM pg_stat_user_tables WHERE relname LIKE 'events\\_%'",
  );
  return rows[0]?.n ?? 0;
};

it("a look at a log in which nothing waits reads none of its events", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const events = Array.from({ length: 3000 }, (_, n) => ({ eventId: `evt_${n}`, type: "made.up", created: 1_760_000_000, data: { n } }));
  await append(workspaceId, sourceId, events);
  await drainInbox();
  await pool("worker").query("ANALYZE events");
  for (let n = 0; n < 2; n += 1) {
    await sleep(REPORTED_MS);
    await Promise.all([listDueInLog(100), rowsReadInTurn()]); // what came before is reported
  }
  const before = await rowsReadInTurn();
  for (let n = 0; n < 3; n += 1) {
    expect(await listDueInLog(100)).toEqual({ due: [], held: false });
    await sleep(REPORTED_MS);
  }
  await listDueInLog(100);
  expect((await rowsReadInTurn()) - before).toBe(0);
}, 120_000);
