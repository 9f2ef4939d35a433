import * as z from "zod/mini";

/** A backup to BACKUP_DIR: asked for, under way or ended. */
export const backup = z.object({
  id: z.string(),
  state: z.enum(["queued", "running", "done", "stopped", "failed"]),
  /** False for one that was due by the schedule. */
  requested: z.boolean(),
  phase: z.nullable(z.enum(["copying", "verifying"])),
  /** Rows so far, and how many there are about. */
  done: z.int(),
  total: z.int(),
  /** The file's name in BACKUP_DIR. */
  file: z.nullable(z.string()),
  /** False once newer ones took its place and its file was deleted. */
  kept: z.boolean(),
  events: z.nullable(z.int()),
  fileBytes: z.nullable(z.int()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Why it failed, in words. */
  failure: z.nullable(z.string()),
});
export type Backup = z.infer<typeof backup>;

/** The schedule of an installation and how old its last good backup is. */
export const backupStatus = z.object({
  /** Null while BACKUP_DIR is not set: then no backup is made by the clock or from here. */
  schedule: z.nullable(z.object({ everyHours: z.int(), keep: z.int() })),
  /** When the last good one was begun: what it holds is as of then. */
  lastGoodAt: z.nullable(z.string()),
  /** True while the last good one is older than twice the schedule's interval. */
  overdue: z.boolean(),
});
export type BackupStatus = z.infer<typeof backupStatus>;

/** `GET /api/v1/backups`: the newest first. */
export const backupList = z.object({ data: z.array(backup), nextCursor: z.null(), status: backupStatus });
export type BackupList = z.infer<typeof backupList>;
