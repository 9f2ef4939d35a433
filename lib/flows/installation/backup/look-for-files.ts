import { holds, placeOf } from "#lib/backup/backup-folder";
import { listExpected, markMissing, markSeen } from "#lib/backup/presence-store";
import { env } from "#lib/config/env";
import { logger } from "#lib/observability/logger";
import { folderOf } from "./backup-places.ts";

/** Notes which files of good backups exist. A folder is known by its mark, so an empty volume isn't taken for yesterday's. Never fails. */
export async function lookForFiles(): Promise<void> {
  const { backup } = env();
  if (!backup?.dir) return;
  const { folder } = folderOf(backup);
  try {
    const place = await placeOf(folder).catch(() => "");
    await markSeen(place);
    const missing: string[] = [];
    for (const file of await listExpected(place)) if (!(await holds(folder, file))) missing.push(file);
    const lost = await markMissing(place, missing);
    if (lost > 0)
      logger().error({ folder, files: lost }, "backups are missing: their files are no longer in the folder that they were written to");
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "can't look whether backups are there; trying again in a minute");
  }
}
