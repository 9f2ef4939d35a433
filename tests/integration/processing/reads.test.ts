import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { closePools, inTransaction, pool } from "#lib/db/pool";
import { countHours } from "#lib/flows/events/count-hours";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { processEvents } from "#lib/flows/processing/process-events";
import { listDueInLog } from "#lib/processing/backlog-store";
import { mayWaitAlone } from "#lib/processing/inbox-store";
import { useDatabase } from "#tests/support/database";
import { fillLog } from "#tests/support/large-log";
import { append, fileAll, makeApplied } from "#tests/support/log-writer";
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

it("a look at a log in which nothing waits reads none of its events", { tags: ["deep"] }, async () => {
  const events = Array.from({ length: 3000 }, (_, n) => ({ eventId: `evt_${n}`, type: "made.up", created: 1_760_000_000, data: { n } }));
  await makeApplied(events);
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
});

it("a look for what is tried alone reads nothing of what waits for its first try, also before the database has statistics", async () => {
  const { workspaceId } = await makeWorkspace();
  await pool().query("ALTER TABLE inbox SET (autovacuum_enabled = off)");
  await inTransaction(pool(), async (client) => {
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query("INSERT INTO inbox (workspace_id, received_at, seq) SELECT $1, now(), n FROM generate_series(1, 20000) n", [
      workspaceId,
    ]);
  });
  await inTransaction(pool(), async (client) => {
    expect(await mayWaitAlone(client)).toBe(false);
    const { rows } = await client.query<{ n: number }>(
      "SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'inbox'",
    );
    expect(rows).toEqual([{ n: 0 }]);
    await client.query("UPDATE inbox SET attempts = 1 WHERE seq = 7");
    expect(await mayWaitAlone(client)).toBe(true);
  });
});

const RECORDS = 20_000;
const BATCH = 1000;

/** Rows of the log and of what is made of it that were read by going through a whole table, so far. */
async function rowsReadByTable(): Promise<Record<string, number>> {
  await closePools(); // a backend that ends has reported what it did
  const { rows } = await pool().query<{ name: string; n: number }>(
    `SELECT relname AS name, seq_tup_read::int AS n FROM pg_stat_user_tables
     WHERE seq_tup_read > 0 AND relname ~ '^(events|event_search|event_keys|event_refs|views)'`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

it("a batch of a thousand events reads what it names, however much there is beside it", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  await fillLog({ workspaceId, sourceId, events: 5000, run: "old", days: 1 });
  await pool().query(
    `INSERT INTO views (workspace_id, kind, id, registers, state, last_created)
     SELECT $1, 'document', 'doc_' || n, jsonb_build_object('note', jsonb_build_object('v', repeat('x', 200), 'at', 1, 'rank', 1, 'id', 'evt_' || n)), 'uploaded', 1
     FROM generate_series(1, ${RECORDS}) n`,
    [workspaceId],
  );
  await fileAll();
  await detectMissingEvents();
  await countHours();
  await pool().query("ANALYZE");
  const before = await rowsReadByTable();

  const events = Array.from({ length: BATCH }, (_, n) => ({
    eventId: `evt_new_${n}`,
    type: "document.processed",
    created: 1_760_000_000,
    data: { documentId: `doc_${n % 2 === 0 ? n * 7 : `new_${n}`}`, status: "completed" },
  }));
  await append(workspaceId, sourceId, events);
  // Not drainInbox, which looks at the log by itself.
  for (let applied = 0; applied < BATCH; ) applied += await processEvents();
  for (let filed = 0; filed < BATCH; ) filed += await indexEvents();
  await detectMissingEvents();
  await countHours();

  expect(await rowsReadByTable()).toEqual(before);
});
