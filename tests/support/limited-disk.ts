import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import type pg from "pg";
import { onTestFinished } from "vitest";
import { makeOpenFolder } from "./open-folder.ts";

/** Only root may make a small disk. */
export function mayMount(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0 && tryRun("unshare", ["-m", "true"]);
}

function tryRun(program: string, parameters: string[]): boolean {
  try {
    execFileSync(program, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Moves this month's part of the log to a disk of 16 MB. */
export async function limitedDisk(direct: pg.Pool): Promise<{ megabytes: number }> {
  const megabytes = 16;
  const folder = makeOpenFolder("signalbox-limited-disk-");
  const { rows } = await direct.query<{ name: string; data: string }>(
    "SELECT tableoid::regclass::text AS name, current_setting('data_directory') AS data FROM events ORDER BY received_at DESC LIMIT 1",
  );
  const { name = "", data = "" } = rows[0] ?? {};
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "tmpfs", folder]);
  const owner = execFileSync("stat", ["-c", "%u:%g", data], { encoding: "utf8" }).trim();
  execFileSync("chown", [owner, folder]);
  execFileSync("chmod", ["700", folder]);
  await direct.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
  await direct.query(`ALTER TABLE ${name} SET TABLESPACE small`);
  onTestFinished(async () => {
    await direct.query("DROP TABLE IF EXISTS filler");
    await direct.query(`ALTER TABLE ${name} SET TABLESPACE pg_default`);
    await direct.query("DROP TABLESPACE small");
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });
  return { megabytes };
}

/** Takes what room there is, to the last page. */
export async function fillLimitedDisk(direct: pg.Pool): Promise<void> {
  await direct.query("CREATE TABLE filler (text text) TABLESPACE small");
  for (const rows of [200, 20, 1]) {
    const more = () => direct.query("INSERT INTO filler SELECT repeat(md5(random()::text), 60) FROM generate_series(1, $1)", [rows]);
    while (
      await more().then(
        () => true,
        () => false,
      )
    );
  }
}
