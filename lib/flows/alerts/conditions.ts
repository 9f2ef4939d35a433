import type pg from "pg";
import { listTypedRules, readThresholds } from "#lib/alerts/alert-settings-store";
import { type AlertCondition, type AlertKey, type Counting, endSnoozesOnRecurrence, openEpisodes } from "#lib/alerts/alert-store";
import { durationWords } from "#lib/alerts/message";
import { writeNotifications } from "#lib/alerts/notification-store";
import { listWorkspaces } from "#lib/auth/members/workspace-store";
import { listLostConnections } from "#lib/connections/connection-store";
import { workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { asSentence } from "#lib/contracts/as-sentence";
import { isOfType } from "#lib/contracts/events/event-filters";
import { countWords } from "#lib/contracts/format-count";
import { HELD_DAYS } from "#lib/contracts/forwarding/delivery-states";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { listLateRetention } from "#lib/events/retention-store";
import { readBackupStatus, readProofStatus } from "#lib/flows/installation/backup/read-backups";
import { issueFailure } from "#lib/flows/issues/issues";
import type { TroubledDestination } from "#lib/forwarding/destination-store";
import type { Sighting } from "#lib/issues/issue-ledger-store";
import { listSilentSources } from "#lib/missing-events/missing-event-store";
import { listLagging } from "#lib/processing/backlog-store";
import { countRejectedWithin } from "#lib/quarantine/quarantine-store";
import { listSourceNames } from "#lib/sources/source-store";
import { listMissingKeys } from "#lib/vault/sealed-row-store";

/** Opens alerts with their notifications in the transaction of what caused them. @param counting new occurrences, or all there are */
export async function openAlerts(client: pg.PoolClient, conditions: AlertCondition[], counting: Counting): Promise<void> {
  const asked = await ofAskedTypes(client, conditions);
  if (asked.length === 0) return;
  const ids = await openEpisodes(client, asked, counting, true);
  await endSnoozesOnRecurrence(client, asked);
  await writeNotifications(client, ids);
}

/** Leaves out what a workspace doesn't want to hear of: rules about events may be limited to some of their types. */
async function ofAskedTypes(client: pg.PoolClient, conditions: AlertCondition[]): Promise<AlertCondition[]> {
  const typed = conditions.filter(({ type }) => type !== undefined);
  if (typed.length === 0) return conditions;
  const rules = await listTypedRules(client, [...new Set(typed.map(({ workspaceId }) => workspaceId))]);
  return conditions.filter(({ workspaceId, rule, type }) => {
    const limit = rules.find((each) => each.workspaceId === workspaceId && each.kind === rule);
    return type === undefined || !limit || limit.types.some((asked) => isOfType(asked, type));
  });
}

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

export const workerConditions = (silentMs: number): Promise<AlertCondition[]> =>
  silenceConditions("no_worker", silentMs, {
    ...PENDING,
    title: "No worker is running",
    detail: "Events are received and stored, but not applied or forwarded. Start the worker.",
  });

export const receiverConditions = (silentMs: number | null): Promise<AlertCondition[]> =>
  silenceConditions("no_receiver", silentMs ?? 0, {
    ...{ path: "/settings/outages", action: "View outages" },
    title: "No web process is running",
    detail: "Webhooks are not received, and Signalbox's pages don't load. Start the web process; its log says why it ended.",
  });

type Silence = Pick<AlertCondition, "path" | "action" | "title" | "detail">;

async function silenceConditions(rule: "no_worker" | "no_receiver", silentMs: number, told: Silence): Promise<AlertCondition[]> {
  const thresholds = await readThresholds(rule);
  if (silentMs < thresholds.lowest * 1000) return [];
  return (await listWorkspaces())
    .filter(({ id }) => silentMs >= thresholds.of(id) * 1000)
    .map(({ id: workspaceId }) => ({ workspaceId, rule, subject: INSTALLATION, count: null, unit: null, ...told }));
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

export async function connectionConditions(): Promise<AlertCondition[]> {
  return (await listLostConnections()).map(({ workspaceId, id, name }) => ({
    ...{ workspaceId, rule: "connection", subject: id, path: `/connections/${id}`, action: "Reconnect", count: null, unit: null },
    title: `${name} needs to be reconnected`,
    detail: "Access has ended, and Signalbox can't renew it. Reconnect the account.",
  }));
}

export async function silentSourceConditions(): Promise<AlertCondition[]> {
  const silent = await listSilentSources();
  const names = await sourceNames([...new Set(silent.map(({ workspaceId }) => workspaceId))]);
  return silent.map(({ workspaceId, sourceId, detail }) => ({
    ...{ workspaceId, rule: "source_silent", subject: sourceId, path: "/missing-events?rule=source_silent", action: "View missing events" },
    title: `The source ${names.get(sourceId) ?? sourceId} is silent`,
    detail: `It has sent nothing for much longer than usual. ${detail}`.trim(),
    count: null,
    unit: null,
  }));
}

async function sourceNames(workspaceIds: WorkspaceId[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const workspaceId of workspaceIds) for (const [id, name] of await listSourceNames(workspaceId)) names.set(id, name);
  return names;
}

const REASONS: Record<SuspensionReason, string> = {
  failing: "Too many attempts failed.",
  gone: "It answered 410 Gone. Nothing is sent until someone resumes it.",
  no_success: "Nothing was delivered for 120 hours.",
};

export const destinationConditions = (destinations: TroubledDestination[]): AlertCondition[] =>
  destinations.flatMap((destination) => [...suspension(destination), ...exhaustion(destination)]);

function suspension({ workspaceId, id, name, suspended, lastFailureText, pending }: TroubledDestination): AlertCondition[] {
  if (suspended === null) return [];
  const last = lastFailureText && suspended === "failing" ? ` ${asSentence(`Last: ${lastFailureText}`)}` : "";
  return [
    {
      ...{ workspaceId, rule: "destination", subject: id, path: `/destinations/${id}`, action: "View destination" },
      title: `${name} is suspended: nothing is sent to it`,
      detail: `${REASONS[suspended]}${last} Deliveries are held, and their events are kept for ${HELD_DAYS} days past your retention period.`,
      count: pending,
      unit: "deliveries held",
    },
  ];
}

/** Returns a subject apart from the suspension's, because each ends by itself. */
const exhaustedSubject = (id: string) => `${id}:exhausted`;

function exhaustion({ workspaceId, id, name, exhausted }: TroubledDestination): AlertCondition[] {
  if (exhausted === 0) return [];
  return [
    {
      ...{ workspaceId, rule: "destination", subject: exhaustedSubject(id), path: `/destinations/${id}`, action: "View deliveries" },
      title: `Deliveries to ${name} are exhausted`,
      detail: "Their last attempt failed. Send them again once the destination works.",
      count: exhausted,
      unit: "deliveries exhausted",
    },
  ];
}

type DriftOfType = {
  workspaceId: WorkspaceId;
  issueId: string | null;
  type: string;
  path: string;
  expected: string;
  observed: string;
  count: number;
};

export const schemaConditions = (drifts: DriftOfType[]): AlertCondition[] =>
  drifts.flatMap(({ workspaceId, issueId, type, path, expected, observed, count }) =>
    issueId === null
      ? []
      : [
          {
            ...{ workspaceId, rule: "schema_drift", type, subject: issueId, path: `/issues/${issueId}`, action: "View issue" },
            title: `${type} has changed: ${path}`,
            detail: `Expected ${expected}, observed ${observed}. If this is how it is now, accept it on the issue's event type.`,
            ...{ count, unit: "events" },
          },
        ],
  );

export function issueConditions(sightings: Sighting[]): AlertCondition[] {
  const newest = [...new Map(sightings.map((each) => [each.issueId, each])).values()];
  return newest.map((sighting) => {
    const { issueId, workspaceId, origin, type } = sighting;
    const { what, fix } = issueFailure(sighting);
    const count = sightings.filter((each) => each.issueId === issueId).length;
    return {
      ...{ workspaceId, rule: "issue", type, subject: issueId, path: `/issues/${issueId}`, action: "View issue" },
      title: origin === "platform" ? `The platform reports: ${what}` : `Events fail: ${what}`,
      detail: fix,
      count,
      unit: "failures",
    };
  });
}
