import { countChannels, listFailingChannels } from "#lib/alerts/alert-settings-store";
import { listConnections } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Overview } from "#lib/contracts/overview";
import { findDurability } from "#lib/db/database-health-store";
import { pool } from "#lib/db/pool";
import { countEventsSince, countPerMinute, hasEvents } from "#lib/events/volume-store";
import { readBackupStatus, readProofStatus } from "#lib/flows/installation/backup/read-backups";
import { SURVIVAL_WORDS } from "#lib/flows/installation/read-readiness";
import { readIssues } from "#lib/flows/issues/issues";
import { readRecentOutage } from "#lib/flows/outages/outages";
import { diagnosisWords, isProven } from "#lib/flows/quarantine/diagnoses";
import { listStates } from "#lib/forwarding/destination-store";
import { countFailingInOpenIssues, countOpenIssues, listExhausted } from "#lib/issues/issue-store";
import { countOpenMissingEvents, listSilentSourcesOf } from "#lib/missing-events/missing-event-store";
import { countDeadLetters, measureLatency } from "#lib/processing/attempt-store";
import { findLastHeartbeat, WORKER_SILENT_MS } from "#lib/processing/heartbeat-store";
import { measureInbox } from "#lib/processing/inbox-store";
import { findLargestReal } from "#lib/quarantine/diagnosis-store";
import { listHolding, type QuarantineSuspicion, weighQuarantineSince } from "#lib/quarantine/quarantine-store";
import { listSourceNames } from "#lib/sources/source-store";
import { conditionsOf, type Facts, readRecordState, verdictOf } from "./verdict.ts";

/** Deliveries that wait longer than this are reported. */
const LAG_MS = 60_000;
const DAY_MS = 86_400_000;

export async function readOverview(workspaceId: WorkspaceId, now: Date): Promise<Overview> {
  const since = new Date(now.getTime() - DAY_MS);
  const [
    eventsToday,
    inbox,
    { newestIssues, ...problems },
    quarantine,
    latency,
    perMinute,
    heartbeat,
    connections,
    firstEvent,
    missingEvents,
    { backup, acknowledged },
    { channels, ...outgoing },
    records,
  ] = await Promise.all([
    countEventsSince(workspaceId, since),
    measureInbox(workspaceId),
    readProblems(workspaceId, now),
    readQuarantine(workspaceId, since),
    measureLatency(workspaceId),
    countPerMinute(workspaceId, 60),
    findLastHeartbeat(),
    listConnections(workspaceId, now),
    hasEvents(workspaceId),
    countOpenMissingEvents(workspaceId),
    readDurability(),
    readOutgoing(workspaceId, now),
    readRecordState(workspaceId),
  ]);
  const lagMs = inbox.oldestReceivedAt && Math.max(0, now.getTime() - inbox.oldestReceivedAt.getTime());
  const facts: Facts = {
    eventsToday,
    pending: inbox.pending,
    ...problems,
    quarantine,
    missingEvents,
    ...workerFacts(heartbeat),
    lagging: lagMs !== null && lagMs > LAG_MS,
    connections,
    ...outgoing,
    firstEvent,
    backup,
    records,
  };
  return {
    verdict: verdictOf(facts),
    conditions: conditionsOf(facts),
    eventsToday,
    pending: inbox.pending,
    failures: problems.failures,
    openIssues: problems.openIssues,
    newestIssues,
    ...quarantineNumbers(quarantine),
    missingEvents,
    latency,
    lagMs,
    perMinute,
    workerSeenAt: heartbeat?.seenAt.toISOString() ?? null,
    connections,
    acknowledged,
    backup,
    notified: channels > 0,
    setup: { connected: connections.some(({ connectedAt }) => connectedAt !== null), firstEvent },
  };
}

const workerFacts = (heartbeat: Awaited<ReturnType<typeof findLastHeartbeat>>) => ({
  workerSilent: heartbeat === null || heartbeat.silentMs > WORKER_SILENT_MS,
  refused: heartbeat?.refused ?? null,
});

async function readQuarantine(workspaceId: WorkspaceId, since: Date): Promise<Facts["quarantine"] & QuarantineSuspicion> {
  const [suspicion, largest] = await Promise.all([weighQuarantineSince(workspaceId, since), findLargestReal(workspaceId, since)]);
  const telling = largest !== null && isProven(largest.code);
  return { ...suspicion, largest: telling ? { ...largest, words: diagnosisWords(largest.code, largest.about) } : null };
}

async function readOutgoing(
  workspaceId: WorkspaceId,
  now: Date,
): Promise<
  Pick<Facts, "destinations" | "exhausted" | "failingChannels" | "silentSources" | "pausedSources" | "outage"> & { channels: number }
> {
  const [destinations, exhausted, failingChannels, channels, silentSources, pausedSources, outage] = await Promise.all([
    listStates(workspaceId),
    listExhausted(workspaceId),
    listFailingChannels(workspaceId),
    countChannels(pool(), workspaceId),
    readSilentSources(workspaceId),
    listHolding(workspaceId),
    readRecentOutage(workspaceId, now),
  ]);
  return { destinations, exhausted, failingChannels, channels, silentSources, pausedSources, outage };
}

async function readSilentSources(workspaceId: WorkspaceId): Promise<string[]> {
  const silent = await listSilentSourcesOf(workspaceId);
  if (silent.length === 0) return [];
  const names = await listSourceNames(workspaceId);
  return [...names].flatMap(([id, name]) => (silent.includes(id) ? [name] : []));
}

async function readProblems(workspaceId: WorkspaceId, now: Date) {
  const [failures, openIssues, failingEvents, { data: newestIssues }] = await Promise.all([
    countDeadLetters(workspaceId),
    countOpenIssues(workspaceId),
    countFailingInOpenIssues(workspaceId),
    readIssues(workspaceId, { state: ["open"] }, { limit: 3 }, now),
  ]);
  return { failures, openIssues, failingEvents, newestIssues };
}

/** What acknowledged events survive, and how the backups stand: of the whole installation. */
export async function readDurability(): Promise<Pick<Overview, "backup" | "acknowledged">> {
  const [{ schedule, lastGoodAt, overdue, storeOverdue, missing }, proof, survives] = await Promise.all([
    readBackupStatus(),
    readProofStatus(),
    findDurability(),
  ]);
  const proofFailed = (proof?.failure ?? null) !== null;
  return {
    backup: { scheduled: schedule !== null, lastGoodAt, overdue, storeOverdue, missing, proofFailed },
    acknowledged: SURVIVAL_WORDS[survives],
  };
}

const quarantineNumbers = ({ open, total, genuine }: QuarantineSuspicion) => ({
  quarantined: open,
  quarantinedToday: total,
  likelyGenuine: genuine.count,
});
