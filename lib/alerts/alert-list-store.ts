import type { AlertFilter, AlertNotificationKind, AlertSendState } from "#lib/contracts/alerts/alerts";
import type { AlertChannelKind } from "#lib/contracts/alerts/channels";
import type { AlertRuleKind } from "#lib/contracts/alerts/rules";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/filter-conditions";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** Times are text, as PostgreSQL's JSON has them. */
type StoredSend = {
  notification: AlertNotificationKind;
  channelId: string;
  channelName: string;
  channelKind: AlertChannelKind;
  state: AlertSendState;
  attempts: number;
  outcome: string | null;
  at: string;
};

export type StoredAlert = {
  id: string;
  rule: AlertRuleKind;
  subject: string;
  title: string;
  detail: string;
  path: string;
  count: number | null;
  unit: string | null;
  openedAt: Date;
  closedAt: Date | null;
  snoozedUntil: Date | null;
  snoozedBy: string | null;
  sends: StoredSend[];
};

const SENDS = `SELECT json_agg(json_build_object('notification', n.kind, 'channelId', c.id, 'channelName', c.name, 'channelKind', c.kind,
    'state', s.state, 'attempts', s.attempts, 'outcome', s.outcome, 'at', coalesce(s.finished_at, s.due_at)) ORDER BY s.id DESC)
  FROM alert_notifications n JOIN alert_sends s ON s.notification_id = n.id JOIN alert_channels c ON c.id = s.channel_id WHERE n.episode_id = e.id`;

const COLUMNS = `e.id, e.rule, e.subject, e.title, e.detail, e.path, e.count, e.unit, e.opened_at AS "openedAt", e.closed_at AS "closedAt",
  z.until AS "snoozedUntil", z.by AS "snoozedBy", COALESCE((${SENDS}), '[]') AS sends`;

const FROM = `FROM alert_episodes e LEFT JOIN alert_snoozes z ON z.workspace_id = e.workspace_id AND z.rule = e.rule AND z.subject = e.subject
  AND e.closed_at IS NULL AND (z.until IS NULL OR z.until > now())`;

const CONDITIONS: FilterConditions<AlertFilter> = {
  state: (state) => (state === "open" ? "e.closed_at IS NULL" : "e.closed_at IS NOT NULL"),
  rule: (rule, bind) => `e.rule = ${bind(rule)}`,
};

export async function listAlerts(
  workspaceId: WorkspaceId,
  filter: AlertFilter,
  limit: number,
  before: { at: Date; id: string } | null,
): Promise<StoredAlert[]> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["e.workspace_id = $1", ...conditionsOf(CONDITIONS, filter, bind)];
  if (before) {
    const at = bind(before.at);
    where.push(`e.opened_at <= ${at} AND (e.opened_at < ${at} OR e.id > ${bind(before.id)})`);
  }
  const { rows } = await pool().query<StoredAlert>(
    `SELECT ${COLUMNS} ${FROM} WHERE ${where.join(" AND ")} ORDER BY e.opened_at DESC, e.id LIMIT ${bind(limit)}`,
    values,
  );
  return rows;
}

export async function findAlert(workspaceId: WorkspaceId, id: string): Promise<StoredAlert | null> {
  const { rows } = await pool().query<StoredAlert>(`SELECT ${COLUMNS} ${FROM} WHERE e.workspace_id = $1 AND e.id = $2`, [workspaceId, id]);
  return rows[0] ?? null;
}

export async function countOpenByRule(workspaceId: WorkspaceId): Promise<Map<AlertRuleKind, number>> {
  const counts = await prisma().alertEpisode.groupBy({ by: ["rule"], where: { workspaceId, closedAt: null }, _count: true });
  return new Map(counts.map(({ rule, _count }) => [rule as AlertRuleKind, _count]));
}
