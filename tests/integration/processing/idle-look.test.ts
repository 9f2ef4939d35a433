import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import { listDueInLog } from "#lib/processing/backlog-store";
import { mayWaitAlone } from "#lib/processing/inbox-store";
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

it("a look at a log in which nothing waits reads none of its events", { tags: ["deep"] }, async () => {
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
