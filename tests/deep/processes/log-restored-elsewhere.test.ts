import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { findFeedEnd, readFeed } from "#lib/events/feed-store";
import { watchFeed } from "#lib/flows/events/watch-feed";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { copyDatabase } from "#tests/support/copy-database";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox, fileAll } from "#tests/support/log-writer";
import { makeOpenFolder } from "#tests/support/open-folder";
import { randomEvents } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";
import { makeWorkspace } from "#tests/support/webhooks";

const first = useDatabase();
const folder = makeOpenFolder("signalbox-restore-");
let cluster: EmbeddedPostgres;
let world: { workspaceId: WorkspaceId; sourceId: SourceId };

const document = (eventId: string) => ({ eventId, type: "document.uploaded", created: 5, data: { documentId: `doc_${eventId}` } });

beforeAll(async () => {
  cluster = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, database: "restored", durable: false });
});

afterAll(async () => {
  await closePools();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function use(url: string): Promise<void> {
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });
}

/** An old cluster has run many transactions; a new one starts with a few hundred. */
const age = (transactions: number) =>
  pool().query(`DO $$ BEGIN FOR i IN 1 .. ${transactions} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`);

async function nextTransaction(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ next: number }>("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int AS next");
  await client.end();
  return rows[0]?.next ?? 0;
}

async function countFiled(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM event_search WHERE workspace_id = $1", [world.workspaceId]);
  return rows[0]?.n ?? 0;
}

describe("a log that was restored into a new cluster, whose transaction ids start low", () => {
  let cursor: string;
  let cursorAfterBackup: string;

  beforeEach(async () => {
    await use(first.url());
    await age(20_000);
    world = await makeWorkspace();
    await append(world.workspaceId, world.sourceId, randomEvents(300, 1));
    await drainInbox();
    await fileAll();
    cursor = (await readFeed(world.workspaceId, "0-0", 1000)).events.at(-1)?.id ?? "";
    await migrate(cluster.url);
    expect(await nextTransaction(cluster.url)).toBeLessThan(await nextTransaction(first.url()));
    await copyDatabase(first.url(), cluster.url);
    // Transaction numbers that the old cluster assigns after the backup was made.
    await age(500);
    cursorAfterBackup = await findFeedEnd();
    await use(cluster.url);
    await migrate(cluster.url); // what every start does
  }, 120_000);

  it("is read whole by feed, search and rebuild, and so is what comes after", async () => {
    const { workspaceId, sourceId } = world;
    expect((await readFeed(workspaceId, "0-0", 1000)).events).toHaveLength(300);
    await append(workspaceId, sourceId, [document("evt_new")]);
    await fileAll();
    await drainInbox();
    for (const from of [cursor, cursorAfterBackup])
      expect((await readFeed(workspaceId, from, 1000)).events.map(({ event }) => event.id)).toEqual(["evt_new"]);
    expect(await countFiled()).toBe(301);
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 301, missing: 0, surplus: 0, different: 0 });
  });

  it("loses nothing that is in flight during a rebuild", async () => {
    const { workspaceId, sourceId } = world;
    const held = await beginAppend(workspaceId, sourceId, document("evt_held"));
    await append(workspaceId, sourceId, [document("evt_later")]);
    await pool().query("UPDATE views SET state = 'forged' WHERE workspace_id = $1", [workspaceId]);
    expect((await readFeed(workspaceId, cursor, 10)).events).toEqual([]);
    let committed: Promise<unknown> | null = null;
    await rebuild(workspaceId, {
      onProgress: ({ phase }) => {
        if (phase === "comparing") committed ??= held.query("COMMIT");
      },
    });
    await committed;
    held.release();
    await drainInbox();
    expect((await readFeed(workspaceId, cursor, 10)).events.map(({ event }) => event.id)).toEqual(["evt_held", "evt_later"]);
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 302, missing: 0, surplus: 0, different: 0 });
  });

  it("has its clock raised once", async () => {
    const offset = async () => (await pool().query<{ offset: number }>('SELECT "offset" FROM log_clock')).rows;
    const raised = await offset();
    expect(raised[0]?.offset).toBeGreaterThan(0);
    await append(world.workspaceId, world.sourceId, [document("evt_new")]);
    await migrate(cluster.url);
    expect(await offset()).toEqual(raised);
  });
});

describe("a feed's client", () => {
  it("that comes with a cursor which the log has not come to goes on from the present end", async () => {
    await use(first.url());
    const { workspaceId, sourceId } = await makeWorkspace();
    const watching = new AbortController();
    const feed = watchFeed(workspaceId, "999999999999-7", watching.signal, async () => true);
    expect((await feed.next()).value).toMatchObject({ event: "ready", data: { cursor: expect.not.stringMatching("999999999999") } });
    await append(workspaceId, sourceId, [document("evt_new")]);
    expect((await feed.next()).value).toMatchObject({ event: "appended", data: { id: "evt_new" } });
    watching.abort();
    await feed.return(undefined);
  });
});
