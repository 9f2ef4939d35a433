import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { listMissingMigrations, migrate } from "#lib/db/migrate";
import { notifySoon } from "#lib/db/notifications";
import { closePools, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { useDatabase } from "#tests/support/database";
import { holdEventLoop } from "#tests/support/hold-event-loop";

const database = useDatabase();

test("a test file has the whole schema to itself, empty", async () => {
  expect(await prisma().workspace.count()).toBe(0);
});

test("a second migration finds nothing to do", async () => {
  expect(await migrate(database.url())).toEqual([]);
  expect(await listMissingMigrations(database.url())).toEqual([]);
});

test("the log has a partition for last month, this one and the two to come", async () => {
  const { rows } = await pool().query(
    "SELECT count(*) AS partitions FROM pg_inherits WHERE inhparent = 'events'::regclass AND inhrelid <> 'events_default'::regclass",
  );
  expect(rows[0].partitions).toBeGreaterThanOrEqual(4);
});

test("migrations that run at the same time from several processes don't disturb each other", async () => {
  const results = await Promise.all([migrate(database.url()), migrate(database.url()), migrate(database.url())]);
  expect(results).toEqual([[], [], []]);
});

test("a process that ends its pools right after a change still notifies the others", async () => {
  const listener = new pg.Client({ connectionString: database.url() });
  await listener.connect();
  onTestFinished(() => listener.end());
  const heard: string[] = [];
  listener.on("notification", ({ channel, payload }) => heard.push(`${channel} ${payload}`));
  for (const channel of ["rights", "applied"]) await listener.query(`LISTEN signalbox_${channel}`);
  notifySoon(pool(), "rights", "wsp_1");
  notifySoon(pool("worker"), "applied", "wsp_2");
  await closePools();
  await expect.poll(() => heard.toSorted()).toEqual(["signalbox_applied wsp_2", "signalbox_rights wsp_1"]);
});

test.each([
  ["is being opened", false],
  ["is in use", true],
] as const)(
  "a process that holds its event loop past the time limit of a connection that %s gets it all the same",
  { tags: ["deep"] },
  async (_, inUse) => {
    await closePools();
    const web = pool();
    const taken = inUse ? await Promise.all(Array.from({ length: web.options.max }, () => web.connect())) : [];
    for (const client of taken) void client.query("SELECT 1").then(() => client.release());
    const answer = web.query("SELECT 1 AS one");
    setImmediate(() => holdEventLoop(5500)); // the responses arrive meanwhile
    expect((await answer).rows).toEqual([{ one: 1 }]);
  },
);
