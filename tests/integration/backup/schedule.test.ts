import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Audit } from "#lib/auth/audit/audit";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readBackupStatus, readBackups, requestBackup, stopBackup } from "#lib/flows/installation/backup/read-backups";
import { deleteSurplus, runBackups, runNextBackup } from "#lib/flows/installation/backup/run-backups";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { startLoop } from "#tests/support/background-loop";
import { readCompleteMetrics } from "#tests/support/complete-metrics";
import { useDatabase } from "#tests/support/database";

useDatabase();
const parent = mkdtempSync(path.join(tmpdir(), "signalbox-schedule-"));
const folder = path.join(parent, "backups");
const running = new AbortController().signal;
/** Returns what is in the folder, without its mark. */
const filesIn = (place: string) => readdirSync(place).filter((name) => !name.startsWith("."));
const audit: Audit = { record: async () => undefined, unchanged: () => undefined };

afterAll(() => rmSync(parent, { recursive: true, force: true }));

beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await pool().query("DELETE FROM backups");
  resetEnv({ BACKUP_DIR: folder, BACKUP_EVERY: "1h", BACKUP_KEEP: "2" });
});

/** Lets the time of all backups pass. */
const later = (minutes: number) =>
  pool().query(
    "UPDATE backups SET started_at = started_at - $1 * interval '1 minute', finished_at = finished_at - $1 * interval '1 minute'",
    [minutes],
  );

describe("the schedule", () => {
  it("makes the first backup at once, the next when its time has come, and keeps as many as it says", async () => {
    const files: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      expect(await runNextBackup("worker", running)).toBe(true);
      expect(await runNextBackup("worker", running)).toBe(false);
      files.push((await readBackups()).data[0]?.file ?? "");
      await later(61);
      // Names have seconds.
      await pool().query("UPDATE backups SET file = file || $1 WHERE state = 'done' AND file NOT LIKE '%.old%'", [`.old${round}`]);
      for (const name of filesIn(folder).filter((each) => !each.includes(".old")))
        await import("node:fs/promises").then(({ rename }) => rename(path.join(folder, name), path.join(folder, `${name}.old${round}`)));
    }
    expect(filesIn(folder)).toHaveLength(2);
    expect((await readBackups()).data.map(({ state, kept }) => [state, kept])).toEqual([
      ["done", true],
      ["done", true],
      ["done", false],
      ["done", false],
    ]);
  });

  it("says how old the last good one is, in metrics, in readiness and on the overview", async () => {
    await runNextBackup("worker", running);
    expect(await readBackupStatus()).toMatchObject({ schedule: { everyHours: 1, keep: 2 }, overdue: false });
    await later(130);
    expect(await readBackupStatus()).toMatchObject({ overdue: true });
    const text = await readCompleteMetrics();
    expect(Number(/^signalbox_backup_age_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(130 * 60 - 5);
    expect(text).toMatch(/^signalbox_backup_interval_seconds 3600$/m);
    const { backup } = await readReadiness(createReceiver().health);
    expect(backup).toMatchObject({ ok: false, detail: expect.stringContaining("overdue") });
  });

  it("does nothing without BACKUP_DIR", async () => {
    resetEnv({ BACKUP_DIR: "" });
    expect(await runNextBackup("worker", running)).toBe(false);
    await expect(requestBackup(audit)).rejects.toThrow("Neither BACKUP_DIR nor BACKUP_S3_URL");
    expect((await readReadiness(createReceiver().health)).backup).toMatchObject({ ok: true });
  });

  it("notes why one failed, never by the server's path, and tries again within the hour", async () => {
    writeFileSync(folder, "a file where the folder should be");
    expect(await runNextBackup("worker", running)).toBe(true);
    const [failed] = (await readBackups()).data;
    expect(failed).toMatchObject({ state: "failed", failure: expect.any(String) });
    expect(failed?.failure).not.toContain(parent);
    expect(await runNextBackup("worker", running)).toBe(false);
    rmSync(folder);
    await later(61);
    expect(await runNextBackup("worker", running)).toBe(true);
    expect((await readBackups()).data[0]).toMatchObject({ state: "done" });
  });

  it("removes what a killed worker left before the next backup is due, and nothing that has no row", { tags: ["deep"] }, async () => {
    await runNextBackup("worker", running);
    const { rows } = await pool().query<{ place: string }>("SELECT place FROM backups");
    await pool().query(
      `INSERT INTO backups (id, state, requested, runner, started_at, beat_at, file, place)
       VALUES ('bak_killed', 'running', true, 'killed', now(), now() - interval '61 seconds', 'killed.backup', $1),
         ('bak_alive', 'running', true, 'alive', now(), now(), 'alive.backup', $1)`,
      [rows[0]?.place],
    );
    const restoredFrom = "signalbox-2026-11-20T02-15-00Z-0a1b2c3d.backup";
    for (const name of ["killed.backup.partial", "killed.backup", "alive.backup.partial", restoredFrom])
      writeFileSync(path.join(folder, name), "");
    await deleteSurplus();
    const [good] = (await readBackups()).data.filter(({ state }) => state === "done");
    expect(filesIn(folder).sort()).toEqual(["alive.backup.partial", restoredFrom, good?.file].sort());
    expect((await readBackups()).data.find(({ id }) => id === "bak_killed")).toMatchObject({ state: "failed", kept: false });
  });

  it("keeps workers with folders of their own apart: each deletes and counts what is in its folder", { tags: ["deep"] }, async () => {
    const other = path.join(parent, "other");
    const use = (dir: string) => resetEnv({ BACKUP_DIR: dir, BACKUP_EVERY: "1h", BACKUP_KEEP: "1" });
    const make = async (dir: string) => {
      use(dir);
      expect(await runNextBackup("worker", running)).toBe(true);
      await later(61);
    };
    await make(folder);
    await make(other);
    expect([filesIn(folder).length, filesIn(other).length]).toEqual([1, 1]);
    // One that was killed in the other folder, and one of an earlier version there, which a worker of this folder noted as deleted.
    await pool().query(
      `INSERT INTO backups (id, state, requested, runner, started_at, file, place, kept)
       SELECT 'bak_killed', 'failed', true, 'killed', now(), 'killed.backup', place, true FROM backups ORDER BY started_at DESC LIMIT 1`,
    );
    await pool().query(
      "INSERT INTO backups (id, state, requested, started_at, file, kept) VALUES ('bak_before', 'failed', true, now(), 'before.backup', false)",
    );
    for (const name of ["killed.backup.partial", "before.backup"]) writeFileSync(path.join(other, name), "");
    use(folder);
    await deleteSurplus();
    expect(filesIn(other)).toHaveLength(3);
    expect((await readBackups()).data.find(({ id }) => id === "bak_killed")).toMatchObject({ kept: true });
    use(other);
    await deleteSurplus();
    expect([filesIn(folder).length, filesIn(other).length]).toEqual([1, 1]);
    expect((await readBackups()).data.map(({ id, kept }) => [id, kept]).filter(([id]) => /killed|before/.test(String(id)))).toEqual(
      expect.arrayContaining([
        ["bak_killed", false],
        ["bak_before", false],
      ]),
    );
    rmSync(other, { recursive: true });
  });
});

describe("a backup that was asked for", () => {
  it("is made by one of the workers, once", async () => {
    const { outcome, backup } = await requestBackup(audit);
    expect([outcome, (await requestBackup(audit)).outcome, backup.requested]).toEqual(["started", "busy", true]);
    await Promise.all([runNextBackup("one", running), runNextBackup("two", running)]);
    expect((await readBackups()).data).toMatchObject([{ id: backup.id, state: "done", fileBytes: expect.any(Number) }]);
    expect(filesIn(folder)).toHaveLength(1);
  });

  it("can be stopped while it waits", async () => {
    await requestBackup(audit);
    await stopBackup(audit);
    expect((await readBackups()).data).toMatchObject([{ state: "stopped" }]);
  });

  it("goes back to the queue when its worker is stopped", { tags: ["deep"] }, async () => {
    await requestBackup(audit);
    const stop = new AbortController();
    stop.abort();
    await runNextBackup("worker", stop.signal);
    expect((await readBackups()).data).toMatchObject([{ state: "queued" }]);
    expect(filesIn(folder)).toEqual([]);
    startLoop(runBackups);
    await expect.poll(async () => (await readBackups()).data[0]?.state, { timeout: 60_000 }).toBe("done");
  });
});
