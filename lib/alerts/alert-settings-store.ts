import type pg from "pg";
import { RULE_WORDS } from "#lib/contracts/alert-rules";
import type { AlertChannelKind, AlertRuleKind } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { countChanged, queryRows } from "#lib/db/rows";
import { openUrl, readUrl, type StoredUrl, sealUrl } from "#lib/vault/sealed-values";
import { open, seal } from "#lib/vault/vault";

/** Settings that those who may change the channel may see. */
export type ChannelSettings = { name: string; rules: AlertRuleKind[]; recipients: string[]; target: string };

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

const COLUMNS = `id, name, kind, rules, recipients, target AS url, target_sealed AS "urlSealed", failing_since AS "failingSince", last_sent_at AS "lastSentAt",
  last_failure_at AS "lastFailureAt", last_failure_text AS "lastFailureText", created_by AS "createdBy", created_at AS "createdAt"`;
type Row = Omit<StoredChannel, "target"> & StoredUrl;

/** Shows the whole URL, or its origin and a mask while it can't be opened. */
async function channelOf(workspaceId: WorkspaceId, { url, urlSealed, ...row }: Row): Promise<StoredChannel> {
  return { ...row, target: await readUrl({ url, urlSealed }, targetPlace(workspaceId, row.id)) };
}

const LIVE = "workspace_id = $1 AND deleted_at IS NULL";

export async function listChannels(workspaceId: WorkspaceId): Promise<StoredChannel[]> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM alert_channels WHERE ${LIVE} ORDER BY lower(name), id`, [workspaceId]);
  return Promise.all(rows.map((row) => channelOf(workspaceId, row)));
}

export async function findChannel(workspaceId: WorkspaceId, id: string): Promise<StoredChannel | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM alert_channels WHERE ${LIVE} AND id = $2`, [workspaceId, id]);
  return rows[0] ? channelOf(workspaceId, rows[0]) : null;
}

export async function lockChannel(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<StoredChannel | null> {
  const { rows } = await client.query<Row>(`SELECT ${COLUMNS} FROM alert_channels WHERE ${LIVE} AND id = $2 FOR UPDATE`, [workspaceId, id]);
  return rows[0] ? channelOf(workspaceId, rows[0]) : null;
}

export async function countChannels(client: Connection, workspaceId: WorkspaceId): Promise<number> {
  return prisma(client).alertChannel.count({ where: { workspaceId, deletedAt: null } });
}

const FAILING = { deletedAt: null, failingSince: { not: null } };

export async function listFailingChannels(workspaceId: WorkspaceId): Promise<{ id: string; name: string }[]> {
  return prisma().alertChannel.findMany({
    where: { workspaceId, ...FAILING },
    select: { id: true, name: true },
    orderBy: [{ failingSince: "asc" }, { id: "asc" }],
  });
}

export async function countFailingChannels(): Promise<number> {
  return prisma().alertChannel.count({ where: FAILING });
}

export async function insertChannel(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  { id, kind, createdBy, name, rules, recipients, target }: ChannelSettings & { id: string; kind: AlertChannelKind; createdBy: string },
): Promise<void> {
  const [url, targetSealed, targetKeyId] = await sealUrl(target, targetPlace(workspaceId, id));
  await prisma(client).alertChannel.createMany({
    data: { workspaceId, id, kind, name, rules, recipients, createdBy, target: url, targetSealed, targetKeyId },
  });
}

/** Changes a channel and lifts its hold. A target equal to `present` isn't written: one that can't be opened stays as it is. */
export async function updateChannel(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  id: string,
  { name, rules, recipients, target }: ChannelSettings,
  present: string,
): Promise<void> {
  await client.query(
    `UPDATE alert_channels SET name = $3, rules = $4, recipients = $5, held_until = NULL, updated_at = now() WHERE ${LIVE} AND id = $2`,
    [workspaceId, id, name, rules, recipients],
  );
  if (target === present) return;
  const [url, targetSealed, targetKeyId] = await sealUrl(target, targetPlace(workspaceId, id));
  await prisma(client).alertChannel.updateMany({
    where: { workspaceId, id, deletedAt: null },
    data: { target: url, targetSealed, targetKeyId },
  });
}

export async function setChannelSecret(client: pg.PoolClient, workspaceId: WorkspaceId, id: string, secret: string): Promise<void> {
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await prisma(client).alertChannel.updateMany({ where: { workspaceId, id }, data: { sealed, keyId } });
}

/** Returns target and secret as one read, so a secret entered for one host never goes to another. @throws VaultError without the key */
export async function openChannel(workspaceId: WorkspaceId, id: string): Promise<{ target: string; secret: string }> {
  const { rows } = await pool("forwarding").query<StoredUrl & { sealed: string | null }>(
    'SELECT target AS url, target_sealed AS "urlSealed", sealed FROM alert_channels WHERE workspace_id = $1 AND id = $2',
    [workspaceId, id],
  );
  const { url = "", urlSealed = null, sealed = null } = rows[0] ?? {};
  const target = await openUrl({ url, urlSealed }, targetPlace(workspaceId, id));
  return { target, secret: sealed === null ? "" : await open(sealed, contextOf(workspaceId, id)) };
}

/** Deletes a channel with its secret and cancels its pending sends; sent ones stay readable. @returns how many were cancelled */
export async function markChannelDeleted(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<number> {
  await client.query(
    `UPDATE alert_channels SET deleted_at = now(), sealed = NULL, key_id = NULL, target_sealed = NULL, target_key_id = NULL, failing_since = NULL WHERE ${LIVE} AND id = $2`,
    [workspaceId, id],
  );
  return countChanged(
    client,
    `UPDATE alert_sends SET state = 'cancelled', outcome = 'The channel was deleted', finished_at = now()
     WHERE workspace_id = $1 AND channel_id = $2 AND state = 'pending'`,
    [workspaceId, id],
  );
}

const contextOf = (workspaceId: WorkspaceId, id: string) => ({ workspaceId, table: "alert_channels", row: id, field: "sealed" });
const targetPlace = (workspaceId: WorkspaceId, id: string) => ({ workspaceId, table: "alert_channels", row: id, field: "target" });

export type RuleSettings = { enabled: boolean; threshold: number | null; types: string[]; mutedUntil: Date | null; mutedBy: string | null };

const USUAL: RuleSettings = { enabled: true, threshold: null, types: [], mutedUntil: null, mutedBy: null };

const RULE_COLUMNS = `enabled, threshold, types, CASE WHEN muted_until > now() THEN muted_until END AS "mutedUntil",
  CASE WHEN muted_until > now() THEN muted_by END AS "mutedBy"`;

/** Lists only rules with settings of their own. */
export const listRuleSettings = (workspaceId: WorkspaceId): Promise<(RuleSettings & { kind: AlertRuleKind })[]> =>
  queryRows<RuleSettings & { kind: AlertRuleKind }>(pool(), `SELECT kind, ${RULE_COLUMNS} FROM alert_rules WHERE workspace_id = $1`, [
    workspaceId,
  ]);

export async function lockRule(client: pg.PoolClient, workspaceId: WorkspaceId, kind: AlertRuleKind): Promise<RuleSettings> {
  await prisma(client).alertRule.createMany({ data: { workspaceId, kind }, skipDuplicates: true });
  const { rows } = await client.query<RuleSettings>(
    `SELECT ${RULE_COLUMNS} FROM alert_rules WHERE workspace_id = $1 AND kind = $2 FOR UPDATE`,
    [workspaceId, kind],
  );
  return rows[0] ?? USUAL;
}

export async function updateRule(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  kind: AlertRuleKind,
  { enabled, threshold, types, mutedUntil, mutedBy }: RuleSettings,
): Promise<void> {
  await client.query(
    `UPDATE alert_rules SET enabled = $3, threshold = $4, muted_until = $5, muted_by = $6, types = $7, updated_at = now() WHERE workspace_id = $1 AND kind = $2`,
    [workspaceId, kind, enabled, threshold, mutedUntil, mutedBy, types],
  );
}

/** Lists the rules that are limited to types of events. */
export const listTypedRules = (
  client: pg.PoolClient,
  workspaceIds: WorkspaceId[],
): Promise<{ workspaceId: string; kind: string; types: string[] }[]> =>
  prisma(client).alertRule.findMany({
    where: { workspaceId: { in: workspaceIds }, types: { isEmpty: false } },
    select: { workspaceId: true, kind: true, types: true },
  });

type Thresholds = (workspaceId: string) => number;

/** Returns each workspace's threshold; below `lowest` the rule holds in none. */
export async function readThresholds(kind: AlertRuleKind): Promise<{ of: Thresholds; lowest: number }> {
  const usual = RULE_WORDS[kind].threshold?.usual ?? 0;
  const rows = await prisma().alertRule.findMany({
    where: { kind, threshold: { not: null } },
    select: { workspaceId: true, threshold: true },
  });
  const own = new Map(rows.map(({ workspaceId, threshold }) => [workspaceId, threshold ?? usual]));
  return { of: (workspaceId) => own.get(workspaceId) ?? usual, lowest: Math.min(usual, ...own.values()) };
}
