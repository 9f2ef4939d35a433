import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { sourceId, workspaceId } from "#lib/contracts/api/ids";
import { listKnownMigrations, migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { drainInbox } from "#tests/support/log-writer";
import { appendAsBefore } from "#tests/support/previous-release";
import { countWaiting, EVERY_TRY } from "#tests/support/waiting";

const database = useDatabase();
let before: URL;
const world = { workspaceId: workspaceId.parse("wsp_before"), sourceId: sourceId.parse("src_before") };

/** A database as the release before left it: some events wait, some were applied, failed, or are delivered again. */
beforeAll(async () => {
  before = new URL(database.url());
  before.pathname = `${before.pathname}_before`;
  await pool().query(`CREATE DATABASE ${pg.escapeIdentifier(before.pathname.slice(1))} TEMPLATE template0`);
  await migrate(before.href, undefined, new Set(listKnownMigrations().filter((name) => name < "20261122130000")));
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: before.href });
  await pool().query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme')", [world.workspaceId]);
  await pool().query("INSERT INTO sources (id, workspace_id, name) VALUES ($1, $2, 'before')", [world.sourceId, world.workspaceId]);
  await appendAsBefore(world, 1, 400);
  const at = "SELECT workspace_id, received_at, seq FROM events WHERE event_id =";
  // 1 to 100 were applied, of them 1 to 5 are to be delivered again; 101 is tried again later, 102 is a dead letter; the rest waits.
  await pool().query(`
    INSERT INTO attempts (workspace_id, received_at, seq, number, outcome)
      SELECT workspace_id, received_at, seq, 1, CASE substr(event_id, 5)::int WHEN 101 THEN 'retrying' WHEN 102 THEN 'failed' ELSE 'applied' END
      FROM events WHERE substr(event_id, 5)::int <= 102;
    DELETE FROM inbox i USING events e WHERE e.received_at = i.received_at AND e.seq = i.seq
      AND (substr(e.event_id, 5)::int <= 100 OR e.event_id = 'evt_102');
    UPDATE inbox i SET attempts = 1, due_at = now() - interval '1 second' FROM events e
      WHERE e.received_at = i.received_at AND e.seq = i.seq AND e.event_id = 'evt_101';
    INSERT INTO dead_letters (workspace_id, received_at, seq, type, event_id, failure_code, failure_text, attempts)
      SELECT t.*, 'document.uploaded', 'evt_102', 'missing_id', 'no ID', 1 FROM (${at} 'evt_102') t;
    INSERT INTO redeliveries (id, workspace_id, state, total) SELECT 'rdl_1', workspace_id, 'queued', 5 FROM (${at} 'evt_1') t;
    INSERT INTO inbox (workspace_id, received_at, seq, redelivery_id)
      SELECT workspace_id, received_at, seq, 'rdl_1' FROM events WHERE substr(event_id, 5)::int <= 5`);
});

afterAll(async () => {
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: database.url() });
});

const idsOf = async (state: "pending" | "failed" | "processed") =>
  new Set((await listEvents(world.workspaceId, { state: [state] }, { now: new Date(), limit: 1000 })).data.map(({ id }) => id));

it("an update keeps what waits, failed or is delivered again; receivers of the release before go on, and each event is applied once", {
  tags: ["deep"],
}, async () => {
  await migrate(before.href);
  expect(await idsOf("failed")).toEqual(new Set(["evt_102"]));
  expect((await idsOf("pending")).size).toBe(298 + 1 + 5);
  // A receiver of the release before, still at work.
  await appendAsBefore(world, 401, 500);
  expect((await idsOf("pending")).size).toBe(298 + 1 + 5 + 100);
  await drainInbox(3);
  expect(await countWaiting()).toBe(0);
  expect((await idsOf("processed")).size).toBe(499);
  const { rows } = await pool().query(
    `SELECT redelivery_id, count(DISTINCT seq) AS events, count(*) AS applied FROM ${EVERY_TRY} t WHERE outcome = 'applied' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { redelivery_id: "rdl_1", events: 5, applied: 5 },
    { redelivery_id: null, events: 499, applied: 499 },
  ]);
  const { rows: views } = await pool().query("SELECT count(*) AS n FROM views WHERE kind = 'document' AND last_created > 0");
  // Events 1 to 100 that were not delivered again had been applied before: this test did not make their records.
  expect(views).toEqual([{ n: 499 - 95 }]);
  expect((await readEvent(world.workspaceId, "evt_450"))?.attempts).toMatchObject([{ number: 1, outcome: "applied", redeliveryId: null }]);
  expect((await readEvent(world.workspaceId, "evt_101"))?.attempts.map(({ outcome }) => outcome)).toEqual(["retrying", "applied"]);
});
