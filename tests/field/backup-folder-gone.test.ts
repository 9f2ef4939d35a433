import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readBackupStatus, readBackups } from "#lib/flows/installation/backup/read-backups";
import { lookForFiles, runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { alertsOf, makeChannel, watch } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { makeWorkspace } from "#tests/support/webhooks";

// dohsimpson/TaskTrove#234: the folder of the backups was gone after a restart, and they were still listed as if they were there.

useDatabase();
const running = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  const parent = mkdtempSync(path.join(tmpdir(), "signalbox-gone-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  folder = path.join(parent, "backups");
  await pool().query("DELETE FROM backups");
  resetEnv({ BACKUP_DIR: folder, BACKUP_EVERY: "1h", BACKUP_KEEP: "2" });
  for (let n = 0; n < 2; n += 1) {
    expect(await runNextBackup("worker", running)).toBe(true);
    await pool().query(
      "UPDATE backups SET started_at = started_at - interval '61 minutes', finished_at = finished_at - interval '61 minutes'",
    );
  }
  await lookForFiles();
});

/** Lets the time pass in which the worker of a folder may be restarting. */
const later = () => pool().query("UPDATE backup_folders SET seen_at = seen_at - interval '11 minutes'");
const listed = async () => (await readBackups()).data.map(({ state, missing }) => [state, missing]);

it("a backup folder that is gone after a restart: its backups are missing, and an alert says so", async () => {
  const { workspaceId } = await makeWorkspace();
  await makeChannel(workspaceId, { kind: "email", recipients: ["ops@example.com"], rules: ["backup_late"] });
  expect(await readBackupStatus()).toMatchObject({ missing: 0, lastGoodAt: expect.any(String) });
  renameSync(folder, `${folder}-unmounted`);
  await lookForFiles(); // makes the folder anew: an empty volume in the place of yesterday's
  expect(await readBackupStatus()).toMatchObject({ missing: 0 }); // another worker's, which may be restarting
  await later();
  await lookForFiles();
  expect(await readBackupStatus()).toMatchObject({ missing: 2, lastGoodAt: null });
  expect(await listed()).toEqual([
    ["done", true],
    ["done", true],
  ]);
  expect((await readReadiness(createReceiver().health)).backup).toMatchObject({ ok: false });
  await watch();
  expect((await alertsOf(workspaceId)).map(({ title, state }) => [title, state])).toContainEqual(["Backups are missing", "open"]);
  expect(await runNextBackup("worker", running)).toBe(true); // there is no good one, so one is due
  expect(await readBackupStatus()).toMatchObject({ missing: 1, lastGoodAt: expect.any(String) });
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-unmounted`, folder);
  await lookForFiles();
  expect((await listed()).slice(1)).toEqual([
    ["done", false],
    ["done", false],
  ]);
});

it("a file that was deleted from a folder that is there is missing at the next look", async () => {
  const [newest, before] = (await readBackups()).data;
  rmSync(path.join(folder, newest?.file ?? ""));
  await lookForFiles();
  expect(await readBackupStatus()).toMatchObject({ missing: 1, lastGoodAt: before?.startedAt });
});

it("a folder that can't be read hides its backups no longer than ten minutes", async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where the folder should be");
  await later();
  await lookForFiles();
  expect(await readBackupStatus()).toMatchObject({ missing: 2, lastGoodAt: null });
});
