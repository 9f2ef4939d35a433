import * as z from "zod/mini";
import { pageOf } from "#lib/contracts/api/parameters";

export const backup = z.object({
  id: z.string(),
  state: z.enum(["queued", "running", "done", "stopped", "failed"]),
  requested: z.boolean(),
  phase: z.nullable(z.enum(["copying", "verifying", "uploading", "downloading"])),
  /** Rows; bytes while it is sent to the store and read back. `total` is an estimate. */
  done: z.int(),
  total: z.int(),
  file: z.nullable(z.string()),
  kept: z.boolean(),
  /** True if its file is gone (deleted, not mounted, another folder) and no copy is in the store. */
  missing: z.boolean(),
  /** As s3://bucket/prefix; null if it is in BACKUP_DIR only, also because the store failed. */
  store: z.nullable(z.string()),
  events: z.nullable(z.int()),
  fileBytes: z.nullable(z.int()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Why it failed or, if it is done, why its copy did not reach the store. */
  failure: z.nullable(z.string()),
});
export type Backup = z.infer<typeof backup>;

export const backupStatus = z.object({
  /** Null if neither BACKUP_DIR nor BACKUP_S3_URL is set. */
  schedule: z.nullable(z.object({ everyHours: z.int(), keep: z.int() })),
  /** When the last good one began: its contents are as of then. */
  lastGoodAt: z.nullable(z.string()),
  /** True if the last good one is older than twice the schedule's interval. */
  overdue: z.boolean(),
  missing: z.int(),
  storeOverdue: z.boolean(),
  proof: z.nullable(
    z.object({
      everyHours: z.int(),
      provedAt: z.nullable(z.string()),
      file: z.nullable(z.string()),
      failure: z.nullable(z.string()),
    }),
  ),
});
export type BackupStatus = z.infer<typeof backupStatus>;

export const backupList = z.extend(pageOf(backup), { status: backupStatus });
export type BackupList = z.infer<typeof backupList>;
