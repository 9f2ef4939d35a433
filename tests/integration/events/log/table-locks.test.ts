import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { ensurePartitions } from "#lib/db/log-maintenance";
import { MIGRATIONS_FOLDER, migrate } from "#lib/db/migrate";
import { pool } from "#lib/db/pool";
import { applyRetention } from "#lib/flows/events/retention";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeOpenFolder } from "#tests/support/open-folder";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";

const database = useDatabase();
const folder = makeOpenFolder("signalbox-migrations-");
const DAY_MS = 86_400_000;
/** Time that a sender waits for its answer; the contract says 5 s. Milliseconds. */
const MAX_APPEND_MS = 2000;
const BETWEEN_APPENDS_MS = 20;

let world: { workspaceId: WorkspaceId; sourceId: SourceId };
let dump: pg.PoolClient;
let ended = false;

beforeEach(async () => {
  world = await makeWorkspace();
  await pool().query("SELECT ensure_event_partitions((current_date - 400)::date, 15)");
  // Like pg_dump: it has locked all tables against being changed, and goes on for long.
  dump = await pool().connect();
  ended = false;
  await dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
});

afterEach(async () => {
  if (!ended) await endDump();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function endDump(): Promise<void> {
  ended = true;
  await dump.query("COMMIT");
  dump.release();
}

const document = (eventId: string) => ({ eventId, type: "document.uploaded", created: 5, data: { documentId: `doc_${eventId}` } });

/** Appends one event after another until `work` has ended. @returns the longest time that one took, in milliseconds */
async function longestAppendDuring(work: Promise<unknown>): Promise<number> {
  let [longest, busy] = [0, true];
  const end = work.finally(() => {
    busy = false;
  });
  for (let n = 0; busy; n += 1) {
    const since = performance.now();
    await append(world.workspaceId, world.sourceId, [document(`evt_${n}`)]);
    longest = Math.max(longest, performance.now() - since);
    await sleep(BETWEEN_APPENDS_MS);
  }
  await end;
  return longest;
}

const partitions = async () =>
  (await pool().query<{ name: string }>("SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid")).rows.map(
    ({ name }) => name,
  );

const monthOf = (ahead: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString().slice(0, 7).replace("-", "_");
};

describe("beside a dump of the log", () => {
  it("the month's partitions are made when it has ended, and appends go on all the time", { tags: ["deep"] }, async () => {
    const [log, search] = [`events_${monthOf(3)}`, `event_search_${monthOf(3)}`];
    for (const name of [log, search]) await pool().query(`DROP TABLE IF EXISTS ${name}`);
    await dump.query("SELECT count(*) FROM events");
    await dump.query("SELECT count(*) FROM event_search");
    const made = ensurePartitions(new Date());
    expectPace(await longestAppendDuring(new Promise((resolve) => setTimeout(resolve, 3000))), MAX_APPEND_MS);
    expect(await partitions()).not.toContain(log);
    await endDump();
    expect(await made).toBeGreaterThanOrEqual(2);
    expect(await partitions()).toEqual(expect.arrayContaining([log, search]));
  });

  it("a start makes what it can, does not wait for the end, and holds no append up", { tags: ["deep"] }, async () => {
    await pool().query(`DROP TABLE IF EXISTS events_${monthOf(3)}`);
    await dump.query("SELECT count(*) FROM events");
    expectPace(await longestAppendDuring(migrate(database.url())), MAX_APPEND_MS);
    await endDump();
    await migrate(database.url());
    expect(await partitions()).toContain(`events_${monthOf(3)}`);
  });

  it("a migration that changes the log waits for the end without holding appends up", { tags: ["deep"] }, async () => {
    const name = "29990101000000_probe";
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, "migration.sql"), 'ALTER TABLE "events" ALTER COLUMN "remote_address" DROP DEFAULT;');
    await dump.query("SELECT count(*) FROM events");
    const applied = migrate(database.url(), folder);
    expectPace(await longestAppendDuring(new Promise((resolve) => setTimeout(resolve, 3000))), MAX_APPEND_MS);
    await endDump();
    expect(await applied).toEqual([name]);
    expect(await migrate(database.url(), MIGRATIONS_FOLDER)).toEqual([]);
  });

  it("retention leaves its months to a later round, and holds no append up", { tags: ["deep"] }, async () => {
    const old = new Date(Date.now() - 200 * DAY_MS);
    const month = `events_${old.toISOString().slice(0, 7).replace("-", "_")}`;
    await append(world.workspaceId, world.sourceId, [document("evt_old")], old);
    await drainInbox();
    await dump.query("SELECT count(*) FROM events");
    expectPace(await longestAppendDuring(applyRetention()), MAX_APPEND_MS);
    expect(await partitions()).toContain(month);
    await endDump();
    await drainInbox();
    await applyRetention();
    expect(await partitions()).not.toContain(month);
  });

  it("a new partition has the log's indexes, keys and the trigger that keeps its rows", async () => {
    await endDump();
    const month = `events_${monthOf(3)}`;
    await pool().query(`DROP TABLE IF EXISTS ${month}`);
    await ensurePartitions(new Date());
    const shapeOf = async (table: string) => {
      const { rows } = await pool().query<{ shape: string }>(
        `SELECT concat_ws(' | ',
           (SELECT string_agg(replace(pg_get_indexdef(indexrelid), $1, 't'), ', ' ORDER BY replace(pg_get_indexdef(indexrelid), $1, 't')) FROM pg_index WHERE indrelid = $1::regclass),
           (SELECT string_agg(tgname, ', ' ORDER BY tgname) FROM pg_trigger WHERE tgrelid = $1::regclass),
           (SELECT string_agg(conname || contype::text, ', ' ORDER BY conname) FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p')) AS shape`,
        [table],
      );
      return rows[0]?.shape.replaceAll(table, "t");
    };
    expect(await shapeOf(month)).toBe(await shapeOf("events_default"));
  });
});
