import type { AlertCondition, AlertKey } from "#lib/alerts/episode-store";
import { durationWords } from "#lib/alerts/message/duration";
import { readThresholds } from "#lib/alerts/rule-store";
import { listWorkspaces } from "#lib/auth/members/workspace-store";
import { workspaceId as toWorkspaceId } from "#lib/contracts/api/ids";
import { countWords } from "#lib/contracts/counts/format-count";
import { listLateRetention } from "#lib/events/retention/expiry-store";
import { readBackupStatus, readProofStatus } from "#lib/flows/installation/backup/read-backups";
import { listLagging } from "#lib/processing/backlog-store";
import { countRejectedWithin } from "#lib/quarantine/quarantine-store";
import { listMissingKeys } from "#lib/vault/sealed-row-store";

/** Subject of what concerns the installation or the whole workspace. */
const INSTALLATION = "installation";
const PENDING = { path: "/events?state=pending", action: "View pending events" };
const REJECTION_MINUTES = 15;
const MAX_NAMED = 2;

/** Finds workspaces over the threshold. An open alert ends at half of it, so that it doesn't open and close repeatedly. */
export async function rejectionConditions(open: AlertKey[]): Promise<AlertCondition[]> {
  const thresholds = await readThresholds("rejected_requests");
  const isOpen = (id: string) => open.some(({ workspaceId, rule }) => workspaceId === id && rule === "rejected_requests");
  const counts = Map.groupBy(await countRejectedWithin(REJECTION_MINUTES), ({ workspaceId }) => workspaceId);
  return [...counts]
    .map(([workspaceId, sources]) => ({ workspaceId, sources, requests: sources.reduce((sum, { requests }) => sum + requests, 0) }))
    .filter(({ workspaceId: id, requests }) => requests >= thresholds.of(id) / (isOpen(id) ? 2 : 1))
    .map(({ workspaceId, sources, requests }) => ({
      ...{ workspaceId, rule: "rejected_requests", subject: INSTALLATION, path: "/quarantine", action: "View quarantine" },
      title: "Rejected requests are rising",
      detail: `Webhooks with an invalid signature or payload are arriving at ${namesOf(sources)}. If their sender is yours, check the signing secret.`,
      count: requests,
      unit: `requests in ${REJECTION_MINUTES} minutes`,
    }));
}

function namesOf(sources: { source: string }[]): string {
  const names = sources.slice(0, MAX_NAMED).map(({ source }) => source);
  const more = sources.length - names.length;
  return more === 0 ? names.join(" and ") : `${names.join(", ")} and ${countWords(more, "more source")}`;
}

export async function lagConditions(): Promise<AlertCondition[]> {
  const thresholds = await readThresholds("processing_lag");
  return (await listLagging(thresholds.lowest))
    .filter(({ workspaceId, lagSeconds }) => lagSeconds >= thresholds.of(workspaceId))
    .map(({ workspaceId, waiting }) => ({
      ...{ workspaceId, rule: "processing_lag", subject: INSTALLATION, ...PENDING },
      title: `Events wait longer than ${durationWords(thresholds.of(workspaceId) * 1000)} to be applied`,
      detail: "Nothing is lost: the worker applies them in order.",
      count: waiting,
      unit: "events waiting",
    }));
}

export async function workerConditions(silentMs: number): Promise<AlertCondition[]> {
  const thresholds = await readThresholds("no_worker");
  if (silentMs < thresholds.lowest * 1000) return [];
  return (await listWorkspaces())
    .filter(({ id }) => silentMs >= thresholds.of(id) * 1000)
    .map(({ id: workspaceId }) => ({
      ...{ workspaceId, rule: "no_worker", subject: INSTALLATION, ...PENDING, count: null, unit: null },
      title: "No worker is running",
      detail: "Events are received and stored, but not applied or forwarded. Start the worker.",
    }));
}

/** Leaves out secrets of an earlier sandbox, which belong to no workspace. */
export async function vaultConditions(): Promise<AlertCondition[]> {
  const [missing, workspaces] = await Promise.all([listMissingKeys(), listWorkspaces()]);
  const known = new Set<string>(workspaces.map(({ id }) => id));
  const affected = missing.filter(({ workspaceId }) => known.has(workspaceId));
  return affected.map(({ workspaceId, keyIds, values }) => ({
    ...{
      workspaceId: toWorkspaceId.parse(workspaceId),
      rule: "vault_key",
      subject: INSTALLATION,
      path: "/connections",
      action: "View connections",
    },
    title: `A vault key is missing: ${keyIds.join(", ")}`,
    detail: "Stored secrets can't be decrypted. Add the key to VAULT_KEYS again, after the active one, and restart web and worker.",
    count: values,
    unit: "secrets affected",
  }));
}

const BACKUPS = { path: "/settings/backups", action: "View backups", count: null, unit: null };

/** Tells every workspace about a late backup, because backups are the installation's. */
export async function lateConditions(): Promise<AlertCondition[]> {
  const [{ overdue, storeOverdue, lastGoodAt, missing }, retention] = await Promise.all([readBackupStatus(), listLateRetention()]);
  const detail = lastGoodAt === null ? "There is no backup yet." : "The last good backup is older than twice its interval.";
  return [
    ...(overdue ? await toldToAll({ rule: "backup_late", subject: "backup", title: "The backup is overdue", detail }) : []),
    ...(missing > 0
      ? await toldToAll({
          ...{ rule: "backup_late", subject: "missing", title: "Backups are missing" },
          detail: `${missing} of the newest backups are no longer in BACKUP_DIR. Check that its volume is mounted, and bring the files back.`,
        })
      : []),
    ...(storeOverdue && !overdue
      ? await toldToAll({
          ...{ rule: "backup_late", subject: "store", title: "Backups are not reaching the store" },
          detail: "The files in BACKUP_DIR are good. Their last copy in the store is older than twice the interval.",
        })
      : []),
    ...retention.map(({ workspaceId }) => ({
      ...{ workspaceId, rule: "backup_late" as const, subject: "retention", path: "/settings/retention", count: null, unit: null },
      title: "Deleting expired events is overdue",
      detail: "Events that should have been deleted a day ago are still stored. Check the worker's log for the retention job.",
      action: "View retention",
    })),
  ];
}

export async function proofConditions(): Promise<AlertCondition[]> {
  const proof = await readProofStatus();
  if (proof === null || proof.failure === null) return [];
  return toldToAll({
    ...{ rule: "backup_proof", subject: INSTALLATION, title: "The test restore of a backup failed" },
    detail: "The newest stored backup could not be restored and compared. Owners and admins can see why under Backups.",
  });
}

const toldToAll = async (condition: Pick<AlertCondition, "rule" | "subject" | "title" | "detail">): Promise<AlertCondition[]> =>
  (await listWorkspaces()).map(({ id: workspaceId }) => ({ workspaceId, ...BACKUPS, ...condition }));
