import { defineRoute } from "#lib/api/define-route";
import { backup, backupList } from "#lib/contracts/backups";
import { readBackups, requestBackup, stopBackup } from "#lib/flows/installation/backup/read-backups";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "backups.read",
  summary: "List backups and their schedule",
  answers: { 200: backupList },
  example: {},
  handle: () => readBackups(),
})
  .and("POST", {
    operation: "backups.manage",
    summary: "Back up now",
    description:
      "A worker writes it to `BACKUP_DIR` and `BACKUP_S3_URL`. One backup runs at a time: a second call returns the first. 409 while neither is set.",
    answers: { 200: backup, 202: backup },
    example: {},
    handle: async ({ audit }) => {
      const { outcome, backup: asked } = await requestBackup(audit);
      return Response.json(asked, { status: outcome === "started" ? 202 : 200 });
    },
  })
  .and("DELETE", {
    operation: "backups.manage",
    summary: "Stop the backup in progress",
    answers: { 204: null },
    example: {},
    handle: ({ audit }) => stopBackup(audit),
  });
