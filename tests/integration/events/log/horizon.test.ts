import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { findFeedEnd, readFeed } from "#lib/events/feed-store";
import { measureHorizonAge } from "#lib/events/log/event-lookup-store";
import { watchFeed } from "#lib/flows/events/watch-feed";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readMetrics } from "#lib/flows/installation/read-metrics";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { markAlive } from "#lib/processing/heartbeat-store";
import { useDatabase } from "#tests/support/database";
import { beginAppend } from "#tests/support/held-append";
import { append, drainInbox, fileAll } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";
import { makeWorkspace } from "#tests/support/webhooks";

const database = useDatabase();

const document = (eventId: string) => ({ eventId, type: "document.uploaded", created: 5, data: { documentId: `doc_${eventId}` } });

const open: pg.Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end()));
});

async function connect(url = database.url()): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  open.push(client);
  await client.connect();
  return client;
}

async function countWaitingFor(table: string): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = to_regclass($1) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    [table],
  );
  return rows[0]?.n ?? 0;
}

/** Opens a transaction that has written something, but nothing to the log, and leaves it open. */
async function openTransaction(url = database.url()): Promise<pg.Client> {
  const client = await connect(url);
  await client.query("BEGIN");
  await client.query("CREATE TEMP TABLE something AS SELECT 1 AS value");
  await client.query("SELECT pg_current_xact_id()");
  return client;
}

function otherDatabase(): string {
  const url = new URL(database.url());
  url.pathname = "/postgres";
  return url.href;
}

async function isFiled(workspaceId: WorkspaceId, seqs: number): Promise<boolean> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM event_search WHERE workspace_id = $1", [workspaceId]);
  return rows[0]?.n === seqs;
}

const idsOf = async (workspaceId: WorkspaceId, from: string) => (await readFeed(workspaceId, from, 99)).events.map(({ event }) => event.id);

describe("while a transaction that writes elsewhere stays open", () => {
  it.each([
    ["in this database", () => database.url()],
    ["in another database of the server", otherDatabase],
  ])("feed, search and rebuild go on: %s", async (_, url) => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const cursor = await findFeedEnd();
    await openTransaction(url());
    await append(workspaceId, sourceId, [document("evt_after")]);
    await fileAll();
    expect(await idsOf(workspaceId, cursor)).toEqual(["evt_after"]);
    expect(await isFiled(workspaceId, 1)).toBe(true);
    await drainInbox();
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject({ events: 1, missing: 0, surplus: 0, different: 0 });
  });

  it("the comparison of a rebuild holds nothing back", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await append(workspaceId, sourceId, randomEvents(200, 1));
    await drainInbox();
    const cursor = await findFeedEnd();
    const blocker = await openTransaction();
    await blocker.query("LOCK TABLE task_moves IN ACCESS EXCLUSIVE MODE");
    const comparison = rebuild(workspaceId, { dryRun: true });
    await expect.poll(() => countWaitingFor("task_moves"), { timeout: 30_000, interval: 20 }).toBe(1);
    await append(workspaceId, sourceId, [document("evt_meanwhile")]);
    expect(await idsOf(workspaceId, cursor)).toEqual(["evt_meanwhile"]);
    await blocker.query("COMMIT");
    expect(await comparison).toMatchObject({ missing: 0, surplus: 0, different: 0 });
  });
});

describe("while an append stays open", () => {
  it("search files nothing beyond it, and nothing is missing from it when it commits", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const held = await beginAppend(workspaceId, sourceId, document("evt_held"));
    await append(workspaceId, sourceId, [document("evt_later")]);
    await fileAll();
    expect(await isFiled(workspaceId, 0)).toBe(true); // else the cursor would stand beyond the held event
    await held.query("COMMIT");
    held.release();
    await fileAll();
    expect(await isFiled(workspaceId, 2)).toBe(true);
  });

  it("the horizon's age says how long the oldest event behind it has waited", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    expect(await measureHorizonAge(new Date())).toBe(0);
    const held = await beginAppend(workspaceId, sourceId, document("evt_held"));
    const [since, later] = [new Date("2026-01-05T10:00:00Z"), new Date("2026-01-05T10:00:12Z")];
    await append(workspaceId, sourceId, [document("evt_later")], since);
    expect(await measureHorizonAge(later)).toBe(12_000);
    await held.query("ROLLBACK");
    held.release();
    expect(await measureHorizonAge(later)).toBe(0);
  });
});

describe("while an append stays open for long", () => {
  it("readiness, metrics and the live feed say how late events are, and readiness stays what it was", { tags: ["deep"] }, async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await markAlive();
    const held = await beginAppend(workspaceId, sourceId, document("evt_held"));
    await append(workspaceId, sourceId, [document("evt_later")], new Date(Date.now() - 12_000));
    const watching = new AbortController();
    const feed = watchFeed(workspaceId, null, watching.signal, async () => true);
    const delayed = async () => {
      for (;;) {
        const { value } = await feed.next();
        if (value?.event === "delayed") return value.data.seconds;
      }
    };
    expect(await delayed()).toBeGreaterThanOrEqual(12);
    expect(await readReadiness(createReceiver().health)).toMatchObject({
      status: "ready",
      feed: { ok: false, detail: expect.stringMatching(/is 1\d s late: a long transaction/) },
    });
    expect(Number(/^signalbox_log_horizon_age_seconds (.+)$/m.exec((await readMetrics()).text)?.[1])).toBeGreaterThanOrEqual(12);
    await held.query("COMMIT");
    held.release();
    while ((await delayed()) > 0);
    expect(await readReadiness(createReceiver().health)).toMatchObject({ status: "ready", feed: { ok: true, delaySeconds: 0 } });
    watching.abort();
    await feed.return(undefined);
  });
});
