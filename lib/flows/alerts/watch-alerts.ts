import type pg from "pg";
import { type AlertCondition, type AlertKey, closeEpisodes, listOpenEpisodes, openEpisodes } from "#lib/alerts/episode-store";
import { writeNotifications } from "#lib/alerts/notification-store";
import { claimWatch } from "#lib/alerts/watch-store";
import type { AlertRuleKind } from "#lib/contracts/alerts/rules";
import { inSavepoint, inTransaction, pool } from "#lib/db/pool";
import { listTroubled } from "#lib/forwarding/troubled-destination-store";
import { listUnresolved } from "#lib/issues/issue-ledger-store";
import { logger } from "#lib/observability/logger";
import { findLastHeartbeat } from "#lib/processing/heartbeat-store";
import { destinationConditions } from "./conditions/destination-conditions.ts";
import {
  lagConditions,
  lateConditions,
  proofConditions,
  rejectionConditions,
  vaultConditions,
  workerConditions,
} from "./conditions/installation-conditions.ts";
import { connectionConditions, silentSourceConditions } from "./conditions/record-conditions.ts";

/** `slow`: also conditions that change by the hour, and cost more. */
export type WatchRound = {
  slow: boolean;
  /** Time without a live worker, in milliseconds; read from the database unless given. */
  workerSilentMs?: number;
};

type Read = (open: AlertKey[]) => Promise<AlertCondition[]>;

const SLOW: AlertRuleKind[] = ["vault_key", "backup_late", "backup_proof"];

/** Returns each rule's reader. Issues have none: they alert in the transaction of their failure. */
const readers = ({ workerSilentMs }: WatchRound): Record<Exclude<AlertRuleKind, "issue">, Read> => ({
  destination: async () => destinationConditions(await listTroubled()),
  connection: connectionConditions,
  source_silent: silentSourceConditions,
  rejected_requests: rejectionConditions,
  processing_lag: lagConditions,
  no_worker: async () => workerConditions(workerSilentMs ?? (await findLastHeartbeat())?.silentMs ?? 0),
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
  await closeEpisodes(
    client,
    open.filter((each) => !now.has(idOf(each))),
  );
}

const idOf = ({ workspaceId, subject }: AlertKey) => `${workspaceId} ${subject}`;

/** Closes alerts of issues that people, successes or retention have ended. */
async function closeSettledIssues(client: pg.PoolClient): Promise<void> {
  const open = await listOpenEpisodes(client, ["issue"]);
  if (open.length === 0) return;
  const unresolved = await listUnresolved(
    client,
    open.map(({ subject }) => subject),
  );
  await closeEpisodes(
    client,
    open.filter(({ subject }) => !unresolved.has(subject)),
  );
}
