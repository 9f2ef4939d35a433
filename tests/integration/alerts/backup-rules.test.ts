import { beforeEach, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { AlertRuleKind } from "#lib/contracts/alerts";
import { pool } from "#lib/db/pool";
import { readOverview } from "#lib/flows/overview/read-overview";
import { alertsOf, makeChannel, watch } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

beforeEach(async () => {
  await pool().query("DELETE FROM backups");
  await pool().query("DELETE FROM backup_proofs");
  resetEnv({
    ...{
      BACKUP_DIR: "/tmp/signalbox-no-backups",
      BACKUP_EVERY: "1h",
      BACKUP_S3_URL: "s3://backups/a",
      BACKUP_S3_ENDPOINT: "http://127.0.0.1:9",
    },
    ...{
      BACKUP_S3_ACCESS_KEY_ID: "key",
      BACKUP_S3_SECRET_ACCESS_KEY: "secret",
      BACKUP_KEY: `b1:${Buffer.alloc(32, 9).toString("base64")}`,
    },
  });
});

/** A workspace that is told of one rule alone. `alerts`: its titles and states after a round; `conditions`: the overview's lines. */
async function world(rule: AlertRuleKind) {
  const { workspaceId } = await makeWorkspace();
  await makeChannel(workspaceId, { kind: "email", recipients: ["ops@example.com"], rules: [rule] });
  return {
    alerts: async () => {
      await watch();
      const found = await alertsOf(workspaceId);
      return found.filter((each) => each.rule === rule).map(({ title, state }) => [title, state]);
    },
    conditions: async () => (await readOverview(workspaceId, new Date())).conditions.map(({ sentence }) => sentence),
  };
}

const backup = (id: string, hoursAgo: number, failure: string | null) =>
  pool().query(
    `INSERT INTO backups (id, state, requested, started_at, finished_at, store, stored, failure)
     VALUES ($1, 'done', true, now() - $2 * interval '1 hour', now(), 's3://backups/a', true, $3)`,
    [id, hoursAgo, failure],
  );

const proof = (id: string, state: string, failure: string | null) =>
  pool().query(
    `INSERT INTO backup_proofs (id, state, file, database, dropped, runner, finished_at, failure)
     VALUES ($1, $2, 'x', 'y', true, 'worker', now(), $3)`,
    [id, state, failure],
  );

it("backup late: without a good backup for twice the interval, until there is one", async () => {
  const here = await world("backup_late");
  await pool().query("UPDATE _prisma_migrations SET finished_at = finished_at - interval '3 hours'");
  expect(await here.alerts()).toEqual([["The backup is overdue", "open"]]);
  await backup("bak_1", 0, null);
  expect(await here.alerts()).toEqual([["The backup is overdue", "closed"]]);
});

it("backup late: while the files are good and none reaches the store for twice the interval, until one does", async () => {
  const here = await world("backup_late");
  const line = "Backups are made, but are not reaching the store. Owners and admins can see why in Settings > Backups.";
  await backup("bak_1", 1, "The store failed.");
  expect(await here.alerts()).toEqual([]);
  await pool().query("UPDATE backups SET started_at = now() - interval '3 hours'");
  await backup("bak_2", 0, "The store failed.");
  expect(await here.alerts()).toEqual([["Backups are not reaching the store", "open"]]);
  expect(await here.conditions()).toContain(line);
  await pool().query("UPDATE backups SET failure = NULL WHERE id = 'bak_2'");
  expect(await here.alerts()).toEqual([["Backups are not reaching the store", "closed"]]);
  expect(await here.conditions()).not.toContain(line);
});

it("test restore of a backup failed: until one is good", async () => {
  const here = await world("backup_proof");
  const line = "The latest test restore of a stored backup failed. Owners and admins can see why in Settings > Backups.";
  await backup("bak_1", 0, null);
  expect(await here.alerts()).toEqual([]);
  await proof("bkp_1", "failed", "The sealed backup is damaged.");
  expect(await here.alerts()).toEqual([["The test restore of a backup failed", "open"]]);
  expect(await here.conditions()).toContain(line);
  await proof("bkp_2", "done", null);
  expect(await here.alerts()).toEqual([["The test restore of a backup failed", "closed"]]);
  expect(await here.conditions()).not.toContain(line);
});
