import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { closePools } from "#lib/db/pool";
import { workSearchIndex } from "#lib/flows/events/index-for-search";
import { type Backup, makeBackup } from "#lib/flows/installation/backup/make-backup";
import { examineBackup, restoreBackup } from "#lib/flows/installation/backup/restore-backup";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { append, drainInbox, fileAll } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { useSecondCluster } from "#tests/support/second-cluster";
import { makeWorkspace } from "#tests/support/webhooks";

const first = useDatabase();
const second = useSecondCluster();
const folder = mkdtempSync(path.join(tmpdir(), "signalbox-backup-search-"));
const signal = new AbortController().signal;
const quiet = { now: new Date(), signal, onProgress: () => undefined };
const EVENTS = 420;

let workspaceId: WorkspaceId;
let backup: Backup;

const inFolder = (name: string) => path.join(folder, name);
const search = () => listNamedEvents(workspaceId, { q: "maple" }, { limit: 10, now: new Date() });

beforeAll(async () => {
  const world = await makeWorkspace();
  workspaceId = world.workspaceId;
  const maple = { eventId: "evt_maple", type: "push", created: 5, data: { word: "maple" } };
  await append(workspaceId, world.sourceId, [maple, ...randomEvents(EVENTS - 21, 1)]);
  await append(workspaceId, world.sourceId, randomEvents(20, 2), new Date("2025-03-05T10:00:00Z"));
  await drainInbox();
  await fileAll();
  backup = await makeBackup(inFolder("without"), quiet);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Restores a backup into another server, and uses that. */
async function restore(name: string): Promise<string> {
  const url = await second.createDatabase();
  await restoreBackup(url, inFolder(name), await examineBackup(inFolder(name), quiet), quiet);
  await use(url);
  return url;
}

async function use(url: string): Promise<void> {
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });
}

async function filedIn(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const filed = "SELECT workspace_id, received_at, seq, terms::text FROM event_search ORDER BY seq";
  return (await client.query(filed).finally(() => client.end())).rows;
}

it("a backup leaves the search out; what is restored says so, and is filed again from the log to the same terms", async () => {
  expect(backup.head.tables.map(({ name }) => name)).not.toContain("event_search");
  const url = await restore("without");
  expect(await search()).toMatchObject({ data: [], searchedBackTo: { eventsWaiting: EVENTS } });
  while (await workSearchIndex());
  expect((await search()).data).toHaveLength(1);
  expect(await search()).not.toHaveProperty("searchedBackTo");
  expect(await filedIn(url)).toEqual(await filedIn(first.url()));
});
