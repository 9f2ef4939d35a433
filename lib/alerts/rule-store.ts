import type pg from "pg";
import { type AlertRuleKind, RULE_WORDS } from "#lib/contracts/alerts/rules";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

export type RuleSettings = { enabled: boolean; threshold: number | null; mutedUntil: Date | null; mutedBy: string | null };

const USUAL: RuleSettings = { enabled: true, threshold: null, mutedUntil: null, mutedBy: null };

const COLUMNS = `enabled, threshold, CASE WHEN muted_until > now() THEN muted_until END AS "mutedUntil",
  CASE WHEN muted_until > now() THEN muted_by END AS "mutedBy"`;

/** Lists only rules with settings of their own. */
export async function listRuleSettings(workspaceId: WorkspaceId): Promise<(RuleSettings & { kind: AlertRuleKind })[]> {
  const { rows } = await pool().query<RuleSettings & { kind: AlertRuleKind }>(
    `SELECT kind, ${COLUMNS} FROM alert_rules WHERE workspace_id = $1`,
    [workspaceId],
  );
  return rows;
}

export async function lockRule(client: pg.PoolClient, workspaceId: WorkspaceId, kind: AlertRuleKind): Promise<RuleSettings> {
  await prisma(client).alertRule.createMany({ data: { workspaceId, kind }, skipDuplicates: true });
  const { rows } = await client.query<RuleSettings>(`SELECT ${COLUMNS} FROM alert_rules WHERE workspace_id = $1 AND kind = $2 FOR UPDATE`, [
    workspaceId,
    kind,
  ]);
  return rows[0] ?? USUAL;
}

export async function updateRule(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  kind: AlertRuleKind,
  { enabled, threshold, mutedUntil, mutedBy }: RuleSettings,
): Promise<void> {
  await client.query(
    `UPDATE alert_rules SET enabled = $3, threshold = $4, muted_until = $5, muted_by = $6, updated_at = now() WHERE workspace_id = $1 AND kind = $2`,
    [workspaceId, kind, enabled, threshold, mutedUntil, mutedBy],
  );
}

export type Thresholds = (workspaceId: string) => number;

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
