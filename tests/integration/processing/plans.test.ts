import { expect, it } from "vitest";
import { closePools, pool } from "#lib/db/pool";
import { countHours } from "#lib/flows/events/count-hours";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { processEvents } from "#lib/flows/processing/process-events";
import { useDatabase } from "#tests/support/database";
import { fillLog } from "#tests/support/large-log";
import { append, fileAll } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const RECORDS = 20_000;
const BATCH = 1000;

/** Rows of the log and of what is made of it that were read by going through a whole table, so far. */
async function rowsReadInTurn(): Promise<Record<string, number>> {
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
  const before = await rowsReadInTurn();

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

  expect(await rowsReadInTurn()).toEqual(before);
});
