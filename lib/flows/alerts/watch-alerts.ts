import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { request } from "undici";
import { countFailingChannels } from "#lib/alerts/alert-settings-store";
import {
  type AlertCondition,
  type AlertKey,
  closeEpisodes,
  countOpenEpisodes,
  listOpenEpisodes,
  openEpisodes,
} from "#lib/alerts/alert-store";
import { claimHeartbeat, claimWatch, writeNotifications } from "#lib/alerts/notification-store";
import { env } from "#lib/config/env";
import type { AlertRuleKind } from "#lib/contracts/alerts";
import { inSavepoint, inTransaction, pool } from "#lib/db/pool";
import { receiverSilence } from "#lib/flows/outages/outages";
import { listTroubled } from "#lib/forwarding/destination-store";
import { agent } from "#lib/http/informational-responses";
import { listUnresolved } from "#lib/issues/issue-ledger-store";
import { logger } from "#lib/observability/logger";
import { findLastHeartbeat, WORKER_SILENT_MS } from "#lib/processing/heartbeat-store";
import {
  connectionConditions,
  destinationConditions,
  lagConditions,
  lateConditions,
  proofConditions,
  receiverConditions,
  rejectionConditions,
  silentSourceConditions,
  vaultConditions,
  workerConditions,
} from "./conditions.ts";
import { sendAlerts } from "./send-alerts.ts";

export const WATCH_MS = 5000;
/** Rules that change by the hour are checked less often. */
const SLOW_MS = 60_000;

export function watchRound(): (workerSilentMs?: number) => Promise<void> {
  let lastSlow = Number.NEGATIVE_INFINITY;
  return async (workerSilentMs) => {
    const slow = performance.now() - lastSlow >= SLOW_MS;
    if (slow) lastSlow = performance.now();
    await watchAlerts({ slow, ...(workerSilentMs !== undefined && { workerSilentMs }) });
  };
}

/** Watches and sends in a web process while no worker is alive. A worker that starts with this process first gets time to report. */
export async function standInForWorkers(signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const watch = watchRound();
  while (!signal.aborted) {
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || !env().DATABASE_URL) return;
    try {
      await standIn(performance.now() - startedAt, watch);
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't check whether workers are running; trying again");
    }
  }
}

/** Returns true if it stood in. @param aliveMs time that this process has run, in milliseconds */
export async function standIn(aliveMs: number, watch: (workerSilentMs: number) => Promise<void>): Promise<boolean> {
  const last = await findLastHeartbeat();
  const silentMs = Math.min(aliveMs, last?.silentMs ?? aliveMs);
  if (silentMs < WORKER_SILENT_MS) return false;
  await watch(silentMs);
  await sendAlerts();
  return true;
}

/** `slow`: also conditions that change by the hour, and cost more. */
export type WatchRound = {
  slow: boolean;
  /** Time without a live worker, in milliseconds; read from the database unless given. */
  workerSilentMs?: number;
};

type Read = (open: AlertKey[]) => Promise<AlertCondition[]>;

const SLOW: AlertRuleKind[] = ["vault_key", "backup_late", "backup_proof"];

/** Returns each rule's reader. Issues and drifts have none: they alert in the transaction of what caused them. */
const readers = ({ workerSilentMs }: WatchRound): Record<Exclude<AlertRuleKind, "issue" | "schema_drift">, Read> => ({
  destination: async () => destinationConditions(await listTroubled()),
  connection: connectionConditions,
  source_silent: silentSourceConditions,
  rejected_requests: rejectionConditions,
  processing_lag: lagConditions,
  no_worker: async () => workerConditions(workerSilentMs ?? (await findLastHeartbeat())?.silentMs ?? 0),
  no_receiver: async () => receiverConditions(await receiverSilence()),
  vault_key: vaultConditions,
  backup_late: lateConditions,
  backup_proof: proofConditions,
});

/** Opens and closes alerts by what is true now, and writes the notifications. One process at a time; a round that dies changed nothing. */
export async function watchAlerts(round: WatchRound): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    if (!(await claimWatch(client))) return;
    await closeSettledIssues(client);
    for (const [rule, read] of Object.entries(readers(round)) as [AlertRuleKind, Read][]) {
      if (round.slow || !SLOW.includes(rule)) await compare(client, rule, read);
    }
    await writeNotifications(client, null);
  });
}

/** Leaves a rule that can't be read or written as it is, so that it holds up no other. */
async function compare(client: pg.PoolClient, rule: AlertRuleKind, read: Read): Promise<void> {
  try {
    await inSavepoint(client, () => compareOne(client, rule, read));
  } catch (error) {
    logger().warn({ rule, reason: (error as Error).message }, "can't check an alert rule; trying again");
  }
}

async function compareOne(client: pg.PoolClient, rule: AlertRuleKind, read: Read): Promise<void> {
  const open = await listOpenEpisodes(client, [rule]);
  const conditions = await read(open);
  const now = new Set(conditions.map(idOf));
  await openEpisodes(client, conditions, "peak");
  const settled = open.filter((each) => !now.has(idOf(each)));
  await closeEpisodes(client, settled);
}

const idOf = ({ workspaceId, subject }: AlertKey) => `${workspaceId} ${subject}`;

/** Closes alerts of issues that people, successes, the old shape or retention have ended. */
async function closeSettledIssues(client: pg.PoolClient): Promise<void> {
  const open = await listOpenEpisodes(client, ["issue", "schema_drift"]);
  if (open.length === 0) return;
  const subjects = open.map(({ subject }) => subject);
  const unresolved = await listUnresolved(client, subjects);
  const settled = open.filter(({ subject }) => !unresolved.has(subject));
  await closeEpisodes(client, settled);
}

const TIMEOUT_MS = 10_000;

/** Alerts about the installation itself: a problem that one workspace has to fix does not silence the heartbeat. */
const OF_INSTALLATION: AlertRuleKind[] = ["processing_lag", "no_worker", "no_receiver", "vault_key", "backup_late", "backup_proof"];

/** `silent`: something is wrong, so nothing is sent. */
type Heartbeat = "not_due" | "silent" | "sent" | "failed";

/** Calls HEARTBEAT_URL once a minute in the whole installation, unless an installation alert is open or a channel fails. */
export async function sendHeartbeat(): Promise<Heartbeat> {
  const { HEARTBEAT_URL } = env();
  if (!HEARTBEAT_URL || !(await claimHeartbeat())) return "not_due";
  if ((await countOpenEpisodes(OF_INSTALLATION)) > 0 || (await countFailingChannels()) > 0) return "silent";
  try {
    const { statusCode, body } = await request(HEARTBEAT_URL, {
      dispatcher: agent,
      headersTimeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await body.dump();
    if (statusCode < 300) return "sent";
    logger().warn({ status: statusCode }, "HEARTBEAT_URL answered with an error");
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "HEARTBEAT_URL can't be reached");
  }
  return "failed";
}
