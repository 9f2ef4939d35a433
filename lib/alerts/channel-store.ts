import type pg from "pg";
import type { AlertChannelKind } from "#lib/contracts/alerts/channels";
import type { AlertRuleKind } from "#lib/contracts/alerts/rules";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { open, seal } from "#lib/vault/vault";

/** What is set of a channel and may be shown. */
export type ChannelSettings = { name: string; rules: AlertRuleKind[]; recipients: string[]; target: string };

/** A channel as it is stored. */
export type StoredChannel = ChannelSettings & {
  id: string;
  kind: AlertChannelKind;
  failingSince: Date | null;
  lastSentAt: Date | null;
  lastFailureAt: Date | null;
  lastFailureText: string | null;
  createdBy: string | null;
  createdAt: Date;
};

const COLUMNS = `id, name, kind, rules, recipients, target, failing_since AS "failingSince", last_sent_at AS "lastSentAt",
  last_failure_at AS "lastFailureAt", last_failure_text AS "lastFailureText", created_by AS "createdBy", created_at AS "createdAt"`;
const LIVE = "workspace_id = $1 AND deleted_at IS NULL";

/** The workspace's channels by name. */
export async function listChannels(workspaceId: WorkspaceId): Promise<StoredChannel[]> {
  const { rows } = await pool().query<StoredChannel>(`SELECT ${COLUMNS} FROM alert_channels WHERE ${LIVE} ORDER BY lower(name), id`, [
    workspaceId,
  ]);
  return rows;
}

/** One channel; null when the workspace has none of that id. */
export async function findChannel(workspaceId: WorkspaceId, id: string): Promise<StoredChannel | null> {
  const { rows } = await pool().query<StoredChannel>(`SELECT ${COLUMNS} FROM alert_channels WHERE ${LIVE} AND id = $2`, [workspaceId, id]);
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockChannel(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<StoredChannel | null> {
  const { rows } = await client.query<StoredChannel>(`SELECT ${COLUMNS} FROM alert_channels WHERE ${LIVE} AND id = $2 FOR UPDATE`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** How many channels the workspace has. */
export async function countChannels(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`SELECT count(*) AS n FROM alert_channels WHERE ${LIVE}`, [workspaceId]);
  return rows[0]?.n ?? 0;
}

/** The channels over which the last message did not arrive, the longest failing first. */
export async function listFailingChannels(workspaceId: WorkspaceId): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool().query<{ id: string; name: string }>(
    `SELECT id, name FROM alert_channels WHERE ${LIVE} AND failing_since IS NOT NULL ORDER BY failing_since, id`,
    [workspaceId],
  );
  return rows;
}

/** How many channels of the installation fail. */
export async function countFailingChannels(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM alert_channels WHERE deleted_at IS NULL AND failing_since IS NOT NULL",
  );
  return rows[0]?.n ?? 0;
}

/** Adds a channel without its secret. */
export async function insertChannel(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  { id, kind, createdBy, name, rules, recipients, target }: ChannelSettings & { id: string; kind: AlertChannelKind; createdBy: string },
): Promise<void> {
  await client.query(
    "INSERT INTO alert_channels (workspace_id, id, kind, name, rules, recipients, target, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    [workspaceId, id, kind, name, rules, recipients, target, createdBy],
  );
}

/** Changes what is set of a channel, which is then sent to at once, whatever its last answer asked for. */
export async function updateChannel(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  id: string,
  { name, rules, recipients, target }: ChannelSettings,
): Promise<void> {
  await client.query(
    `UPDATE alert_channels SET name = $3, rules = $4, recipients = $5, target = $6, held_until = NULL, updated_at = now()
     WHERE ${LIVE} AND id = $2`,
    [workspaceId, id, name, rules, recipients, target],
  );
}

/** Seals a channel's secret, in place of an earlier one. */
export async function setChannelSecret(client: pg.PoolClient, workspaceId: WorkspaceId, id: string, secret: string): Promise<void> {
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await client.query("UPDATE alert_channels SET sealed = $3, key_id = $4 WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    id,
    sealed,
    keyId,
  ]);
}

/**
 * Where a channel leads and its secret, as they stand together now: a secret that was entered for one host is never
 * read for another. The secret is empty for a channel that has none.
 *
 * @throws VaultError when its key is missing
 */
export async function openChannel(workspaceId: WorkspaceId, id: string): Promise<{ target: string; secret: string }> {
  const { rows } = await pool("forwarding").query<{ target: string; sealed: string | null }>(
    "SELECT target, sealed FROM alert_channels WHERE workspace_id = $1 AND id = $2",
    [workspaceId, id],
  );
  const { target = "", sealed = null } = rows[0] ?? {};
  return { target, secret: sealed === null ? "" : await open(sealed, contextOf(workspaceId, id)) };
}

/** Takes a channel away with its secret, and cancels what waits for it; what was sent stays to be read. @returns how many were cancelled */
export async function markChannelDeleted(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<number> {
  await client.query(
    `UPDATE alert_channels SET deleted_at = now(), sealed = NULL, key_id = NULL, failing_since = NULL WHERE ${LIVE} AND id = $2`,
    [workspaceId, id],
  );
  const { rowCount } = await client.query(
    `UPDATE alert_sends SET state = 'cancelled', outcome = 'The channel was deleted', finished_at = now()
     WHERE workspace_id = $1 AND channel_id = $2 AND state = 'pending'`,
    [workspaceId, id],
  );
  return rowCount ?? 0;
}

const contextOf = (workspaceId: WorkspaceId, id: string) => ({ workspaceId, table: "alert_channels", row: id, field: "sealed" });
