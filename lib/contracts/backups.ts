import * as z from "zod/mini";

/** A backup to BACKUP_DIR or BACKUP_S3_URL: asked for, under way or ended. */
export const backup = z.object({
  id: z.string(),
  state: z.enum(["queued", "running", "done", "stopped", "failed"]),
  /** False for one that was due by the schedule. */
  requested: z.boolean(),
  phase: z.nullable(z.enum(["copying", "verifying", "uploading", "downloading"])),
  /** Rows so far, and how many there are about; bytes while it is sent to the store and read back. */
  done: z.int(),
  total: z.int(),
  /** The file's name in BACKUP_DIR, and the object's in the store. */
  file: z.nullable(z.string()),
  /** False once newer ones took its place and it was deleted. */
  kept: z.boolean(),
  /** True while its file is not where it was written, and no copy is in the store: the folder was deleted, is not mounted, or is another one. */
  missing: z.boolean(),
  /** The object store, as s3://bucket/prefix; null for one that is in BACKUP_DIR only, also because the store failed. */
  store: z.nullable(z.string()),
  events: z.nullable(z.int()),
  fileBytes: z.nullable(z.int()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Why it failed, in words; of one that is done, why its copy did not reach the store. */
  failure: z.nullable(z.string()),
});
export type Backup = z.infer<typeof backup>;

/** The schedule of an installation and how old its last good backup is. */
export const backupStatus = z.object({
  /** Null while neither BACKUP_DIR nor BACKUP_S3_URL is set: then no backup is made by the clock or from here. */
  schedule: z.nullable(z.object({ everyHours: z.int(), keep: z.int() })),
  /** When the last good one was begun: what it holds is as of then. */
  lastGoodAt: z.nullable(z.string()),
  /** True while the last good one is older than twice the schedule's interval. */
  overdue: z.boolean(),
  /** Good backups, among the newest that the schedule keeps, that are missing: alerts tell of them as of an overdue one. */
  missing: z.int(),
  /** True while the last one that reached the store is older than twice the schedule's interval. */
  storeOverdue: z.boolean(),
  /** Restores of the newest stored backup into a scratch database; null while there is no store, or they are turned off. */
  proof: z.nullable(
    z.object({
      everyHours: z.int(),
      /** When the last good one ended, and the backup that it restored. */
      provedAt: z.nullable(z.string()),
      file: z.nullable(z.string()),
      /** The reason why the latest failed, in words; null when it was good, or there is none. */
      failure: z.nullable(z.string()),
    }),
  ),
});
export type BackupStatus = z.infer<typeof backupStatus>;

/** `GET /api/v1/backups`: the newest first. */
export const backupList = z.object({ data: z.array(backup), nextCursor: z.null(), status: backupStatus });
export type BackupList = z.infer<typeof backupList>;
