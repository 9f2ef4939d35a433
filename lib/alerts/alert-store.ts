import type pg from "pg";
import { ALERT_COUNT_CAP, type AlertFilter } from "#lib/contracts/alert-rules";
import type { AlertRuleKind, AlertSend } from "#lib/contracts/alerts";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { storableText } from "#lib/contracts/api/plain-text";
import { arraysOf, column, columnsSql, type RowOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { queryCount, queryRow, queryRows } from "#lib/db/rows";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/sql";

/** Subject of an alert; at most one episode of it is open. */
export type AlertKey = { workspaceId: WorkspaceId; rule: AlertRuleKind; subject: string };

export type AlertCondition = AlertKey & {
  /** Of the events that it is about, where it is about events. */
  type?: string;
  /** One line that is enough on a lock screen. */
  title: string;
  detail: string;
  /** Page that the message's button opens; `action` is its label. */
  path: string;
  action: string;
  count: number | null;
  unit: string | null;
};

/** New occurrences are added to an open episode's count, or the highest is kept. */
export type Counting = "added" | "peak";

const GROWN = {
  added: "coalesce(e.count, 0) + coalesce(excluded.count, 0)",
  peak: "greatest(e.count, excluded.count)",
} as const satisfies Record<Counting, string>;

/**
 * Opens an episode for each condition or continues the open one. One closed within the hour whose end was not sent yet is reopened.
 * @param happened it has just happened: unchanged episodes are written too, so that an older round doesn't close them
 * @returns IDs of the episodes that were opened or changed
 */
export async function openEpisodes(
  client: pg.PoolClient,
  conditions: AlertCondition[],
  counting: Counting,
  happened = false,
): Promise<string[]> {
  if (conditions.length === 0) return [];
  const ordered = [...conditions].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await reopenUntold(client, ordered);
  const rows = ordered.map((each) => ({ ...each, id: newId("alr"), title: storable(each.title), detail: storable(each.detail) }));
  const { rows: changed } = await client.query<{ id: string }>({
    name: `alert-episodes-open-${counting}`,
    text: `INSERT INTO alert_episodes AS e (id, workspace_id, rule, subject, title, detail, path, action, count, unit)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::text[])
      ON CONFLICT (workspace_id, rule, subject) WHERE closed_at IS NULL DO UPDATE SET
        title = excluded.title, detail = excluded.detail, count = ${GROWN[counting]}, unit = excluded.unit, seen_at = now()
      WHERE $11 OR (e.title, e.detail, e.count) IS DISTINCT FROM (excluded.title, excluded.detail, ${GROWN[counting]})
      RETURNING id`,
    values: [...arraysOf(rows, "id", "workspaceId", "rule", "subject", "title", "detail", "path", "action", "count", "unit"), happened],
  });
  return changed.map(({ id }) => id);
}

const keyOf = ({ workspaceId, rule, subject }: AlertKey) => `${workspaceId} ${rule} ${subject}`;

const LONGEST = 2000;
/** Bounds an event's text and drops characters that PostgreSQL's text can't hold. */
const storable = (text: string): string => storableText(text.slice(0, LONGEST));

const columnsOf = (keys: AlertKey[]) => arraysOf(keys, "workspaceId", "rule", "subject");

/** Takes back a subject's newest "recovered" that no sender has begun to send, and reopens its episode. */
async function reopenUntold(client: pg.PoolClient, keys: AlertKey[]): Promise<void> {
  const { rows: waiting } = await client.query<{ id: number }>({
    name: "alert-episodes-untold",
    text: `SELECT DISTINCT ON (u.w, u.r, u.s) n.id FROM unnest($1::text[], $2::text[], $3::text[]) AS u(w, r, s)
      JOIN alert_episodes e ON e.workspace_id = u.w AND e.rule = u.r AND e.subject = u.s AND e.closed_at > now() - interval '1 hour'
      JOIN alert_notifications n ON n.episode_id = e.id AND n.kind = 'recovered'
      WHERE NOT EXISTS (SELECT 1 FROM alert_episodes o WHERE o.workspace_id = u.w AND o.rule = u.r AND o.subject = u.s AND o.closed_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM alert_sends s WHERE s.notification_id = n.id AND (s.attempts > 0 OR s.state <> 'pending'))
      ORDER BY u.w, u.r, u.s, e.closed_at DESC, e.id DESC`,
    values: columnsOf(keys),
  });
  for (const { id } of waiting) {
    const { rows: sends } = await client.query<{ attempts: number }>(
      "SELECT attempts FROM alert_sends WHERE notification_id = $1 FOR UPDATE",
      [id],
    );
    if (sends.some(({ attempts }) => attempts > 0)) continue; // a sender was faster: this is the next episode
    await client.query(
      `WITH taken AS (DELETE FROM alert_notifications WHERE id = $1 RETURNING episode_id)
       UPDATE alert_episodes e SET closed_at = NULL, notified = 'open', remind_at = now() + interval '1 day' FROM taken t WHERE e.id = t.episode_id`,
      [id],
    );
  }
}

/** `row` (xmin) changes with each write. */
type OpenEpisode = AlertKey & { row: string };

/** Closes episodes unchanged since they were read; one written since, or locked now, waits for the next round. */
export async function closeEpisodes(client: pg.PoolClient, episodes: OpenEpisode[]): Promise<void> {
  if (episodes.length === 0) return;
  await client.query({
    name: "alert-episodes-close",
    text: `UPDATE alert_episodes SET closed_at = now() WHERE id IN (
        SELECT e.id FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u(w, r, s, row)
        JOIN alert_episodes e ON e.workspace_id = u.w AND e.rule = u.r AND e.subject = u.s AND e.closed_at IS NULL AND e.xmin::text = u.row
        FOR UPDATE OF e SKIP LOCKED)`,
    values: [...columnsOf(episodes), episodes.map(({ row }) => row)],
  });
}

export const listOpenEpisodes = (client: pg.PoolClient, rules: AlertRuleKind[]): Promise<OpenEpisode[]> =>
  queryRows<OpenEpisode>(
    client,
    `SELECT workspace_id AS "workspaceId", rule, subject, xmin::text AS row FROM alert_episodes WHERE closed_at IS NULL AND rule = ANY($1::text[])`,
    [rules],
  );

export async function stopReminders({ workspaceId, rule, subject }: AlertKey): Promise<void> {
  await pool().query(
    "UPDATE alert_episodes SET remind_at = NULL WHERE workspace_id = $1 AND rule = $2 AND subject = $3 AND closed_at IS NULL",
    [workspaceId, rule, subject],
  );
}

export const countOpenEpisodes = (rules: AlertRuleKind[]): Promise<number> =>
  queryCount<{ n: number }>(pool(), "SELECT count(*) AS n FROM alert_episodes WHERE closed_at IS NULL AND rule = ANY($1::text[])", [rules]);

/** Retention of closed alerts, tests of channels and deleted channels. */
const KEPT = "90 days";

export const deleteOldAlerts = (): Promise<number> =>
  queryCount<{ n: number }>(
    pool("worker"),
    `WITH episodes AS (DELETE FROM alert_episodes WHERE closed_at < now() - interval '${KEPT}' RETURNING 1),
       tests AS (DELETE FROM alert_notifications WHERE episode_id IS NULL AND at < now() - interval '${KEPT}' RETURNING 1),
       snoozes AS (DELETE FROM alert_snoozes WHERE until < now() RETURNING 1),
       channels AS (DELETE FROM alert_channels WHERE deleted_at < now() - interval '${KEPT}' RETURNING 1)
     SELECT (SELECT count(*) FROM episodes) + (SELECT count(*) FROM tests) + (SELECT count(*) FROM snoozes) + (SELECT count(*) FROM channels) AS n`,
  );

/** `until` null: until it happens again. */
export type Snooze = { until: Date | null; by: string };

const KEY = "workspace_id = $1 AND rule = $2 AND subject = $3";
const LASTS = "(until IS NULL OR until > now())";

type Replaced = Snooze & { lasts: boolean };

/** Replaces a snooze; null ends it. @returns the earlier one if it was still active */
export async function setSnooze(client: pg.PoolClient, key: AlertKey, snooze: Snooze | null): Promise<Snooze | null> {
  const before = snooze ? await replaceSnooze(client, key, snooze) : await deleteSnooze(client, key);
  return before?.lasts ? { until: before.until, by: before.by } : null;
}

async function replaceSnooze(client: pg.PoolClient, { workspaceId, rule, subject }: AlertKey, snooze: Snooze): Promise<Replaced | null> {
  const values = [workspaceId, rule, subject, snooze.until, snooze.by];
  for (;;) {
    // Waits for a session that is snoozing the same.
    const { rowCount } = await client.query(
      "INSERT INTO alert_snoozes (workspace_id, rule, subject, until, by) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
      values,
    );
    if (rowCount === 1) return null;
    const { rows } = await client.query<Replaced>(
      `WITH b AS (SELECT until, by, ${LASTS} AS lasts FROM alert_snoozes WHERE ${KEY} FOR UPDATE)
       UPDATE alert_snoozes SET until = $4, by = $5, at = now() FROM b WHERE ${KEY} RETURNING b.until, b.by, b.lasts`,
      values,
    );
    if (rows[0]) return rows[0]; // else it was ended meanwhile
  }
}

const deleteSnooze = (client: pg.PoolClient, { workspaceId, rule, subject }: AlertKey): Promise<Replaced | null> =>
  queryRow<Replaced>(client, `DELETE FROM alert_snoozes WHERE ${KEY} RETURNING until, by, ${LASTS} AS lasts`, [workspaceId, rule, subject]);

export const findSnooze = (workspaceId: WorkspaceId, rule: AlertKey["rule"], subject: string): Promise<Snooze | null> =>
  queryRow<Snooze>(pool(), `SELECT until, by FROM alert_snoozes WHERE ${KEY} AND ${LASTS}`, [workspaceId, rule, subject]);

/** Ends the until-it-recurs snoozes of what has recurred; people are notified again if the episode is still open. */
export async function endSnoozesOnRecurrence(client: pg.PoolClient, keys: AlertKey[]): Promise<void> {
  await client.query({
    name: "alert-snoozes-recurred",
    text: `WITH ended AS (
        DELETE FROM alert_snoozes z USING unnest($1::text[], $2::text[], $3::text[]) AS u(w, r, s)
        WHERE z.workspace_id = u.w AND z.rule = u.r AND z.subject = u.s AND z.until IS NULL RETURNING z.workspace_id, z.rule, z.subject)
      UPDATE alert_episodes e SET remind_at = now() - interval '1 second' FROM ended z
      WHERE e.workspace_id = z.workspace_id AND e.rule = z.rule AND e.subject = z.subject AND e.closed_at IS NULL`,
    values: arraysOf(keys, "workspaceId", "rule", "subject"),
  });
}

const SENDS = `SELECT json_agg(json_build_object('notification', n.kind, 'channelId', c.id, 'channelName', c.name, 'channelKind', c.kind,
    'state', s.state, 'attempts', s.attempts, 'outcome', s.outcome, 'at', coalesce(s.finished_at, s.due_at)) ORDER BY s.id DESC)
  FROM alert_notifications n JOIN alert_sends s ON s.notification_id = n.id JOIN alert_channels c ON c.id = s.channel_id WHERE n.episode_id = e.id`;

const OF_SUBJECT = "o.workspace_id = e.workspace_id AND o.rule = e.rule AND o.subject = e.subject";

/** Two walks, each of an index of its own: an open episode is in one, closed ones in the other. */
const TOGETHER = `LEFT JOIN LATERAL (SELECT count(*)::int AS times, min(opened_at) AS first_at FROM (
    SELECT o.opened_at FROM alert_episodes o WHERE ${OF_SUBJECT} AND o.closed_at IS NULL
    UNION ALL (SELECT o.opened_at FROM alert_episodes o WHERE ${OF_SUBJECT} AND o.closed_at IS NOT NULL ORDER BY o.closed_at DESC LIMIT ${ALERT_COUNT_CAP})) s) g ON true`;

const ROW = {
  id: column<string>(),
  rule: column<AlertRuleKind>(),
  subject: column<string>(),
  title: column<string>(),
  detail: column<string>(),
  path: column<string>(),
  count: column<number | null>(),
  unit: column<string | null>(),
  openedAt: column<Date>(),
  closedAt: column<Date | null>(),
  times: column<number>("g.times"),
  firstOpenedAt: column<Date>("g.first_at"),
  snoozedUntil: column<Date | null>("z.until"),
  snoozedBy: column<string | null>("z.by"),
  /** Times as PostgreSQL's JSON has them. */
  sends: column<AlertSend[]>(`COALESCE((${SENDS}), '[]')`),
};

export type StoredAlert = RowOf<typeof ROW>;

const COLUMNS = columnsSql(ROW, "e");

const FROM = `FROM alert_episodes e LEFT JOIN alert_snoozes z ON z.workspace_id = e.workspace_id AND z.rule = e.rule AND z.subject = e.subject
  AND e.closed_at IS NULL AND (z.until IS NULL OR z.until > now()) ${TOGETHER}`;

const CONDITIONS: FilterConditions<AlertFilter> = {
  state: (state) => (state === "open" ? "e.closed_at IS NULL" : "e.closed_at IS NOT NULL"),
  rule: (rule, bind) => `e.rule = ${bind(rule)}`,
  subject: (subject, bind) => `e.subject = ${bind(subject)}`,
  grouped: (grouped) =>
    grouped
      ? `NOT EXISTS (SELECT 1 FROM alert_episodes o WHERE ${OF_SUBJECT} AND o.closed_at IS NULL AND o.id <> e.id)
         AND NOT EXISTS (SELECT 1 FROM alert_episodes o WHERE ${OF_SUBJECT} AND o.closed_at IS NOT NULL AND e.closed_at IS NOT NULL
           AND (o.opened_at, o.id) > (e.opened_at, e.id))`
      : "true",
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
  return queryRows<StoredAlert>(
    pool(),
    `SELECT ${COLUMNS} ${FROM} WHERE ${where.join(" AND ")} ORDER BY e.opened_at DESC, e.id LIMIT ${bind(limit)}`,
    values,
  );
}

export const findAlert = (workspaceId: WorkspaceId, id: string): Promise<StoredAlert | null> =>
  queryRow<StoredAlert>(pool(), `SELECT ${COLUMNS} ${FROM} WHERE e.workspace_id = $1 AND e.id = $2`, [workspaceId, id]);

export async function countOpenByRule(workspaceId: WorkspaceId): Promise<Map<AlertRuleKind, number>> {
  const counts = await prisma().alertEpisode.groupBy({ by: ["rule"], where: { workspaceId, closedAt: null }, _count: true });
  return new Map(counts.map(({ rule, _count }) => [rule as AlertRuleKind, _count]));
}
