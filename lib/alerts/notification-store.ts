import type pg from "pg";

/** Transitions within this time share one message. */
const GROUP_SECONDS = 60;

/** A beginning goes to every channel of the rule, an end to those that were told of the beginning. */
const TELLS = `CASE WHEN t.kind = 'recovered' THEN EXISTS (
    SELECT 1 FROM alert_notifications n JOIN alert_sends s ON s.notification_id = n.id
    WHERE n.episode_id = t.id AND s.channel_id = c.id AND s.state IN ('pending', 'sent'))
  ELSE c.rules = '{}' OR t.rule = ANY(c.rules) END`;

const QUIET = `NOT coalesce(r.enabled, true) OR coalesce(r.muted_until > now(), false)
  OR (z.workspace_id IS NOT NULL AND (z.until IS NULL OR z.until > now()))`;

/**
 * Writes the owed notifications: an episode began, is still open a day later, or is over. A unique key makes each exist once.
 * What began while muted, snoozed or without a channel is told later if it is still open, otherwise never.
 * @param ids episodes to look at; null for all
 */
export async function writeNotifications(client: pg.PoolClient, ids: string[] | null): Promise<void> {
  if (ids?.length === 0) return;
  await client.query({
    name: "alert-notifications-write",
    text: `WITH t AS (
        SELECT e.id, e.workspace_id, e.rule, e.count,
          CASE WHEN e.closed_at IS NOT NULL THEN 'recovered' WHEN e.notified = 'open' THEN 'reminder' ELSE 'opened' END AS kind
        FROM alert_episodes e
        LEFT JOIN alert_rules r ON r.workspace_id = e.workspace_id AND r.kind = e.rule
        LEFT JOIN alert_snoozes z ON z.workspace_id = e.workspace_id AND z.rule = e.rule AND z.subject = e.subject
        WHERE (e.closed_at IS NULL OR e.notified = 'open') AND ($1::text[] IS NULL OR e.id = ANY($1))
          AND (e.closed_at IS NOT NULL OR ((e.notified = 'none' OR e.remind_at <= now()) AND NOT (${QUIET})
            AND EXISTS (SELECT 1 FROM alert_channels c WHERE c.workspace_id = e.workspace_id AND c.deleted_at IS NULL
              AND (c.rules = '{}' OR e.rule = ANY(c.rules)))))
        ORDER BY e.id FOR UPDATE OF e SKIP LOCKED),
      told AS (
        UPDATE alert_episodes e SET notified = CASE t.kind WHEN 'recovered' THEN 'closed' ELSE 'open' END,
          remind_at = CASE t.kind WHEN 'recovered' THEN NULL ELSE now() + interval '1 day' END
        FROM t WHERE e.id = t.id),
      written AS (
        INSERT INTO alert_notifications (workspace_id, episode_id, kind, number, count)
        SELECT t.workspace_id, t.id, t.kind, CASE t.kind WHEN 'reminder' THEN 1 + (
          SELECT count(*) FROM alert_notifications n WHERE n.episode_id = t.id AND n.kind = 'reminder') ELSE 1 END, t.count
        FROM t ON CONFLICT (episode_id, kind, number) DO NOTHING RETURNING id, episode_id)
      INSERT INTO alert_sends (workspace_id, notification_id, channel_id, due_at)
      SELECT t.workspace_id, w.id, c.id, now() + make_interval(secs => ${GROUP_SECONDS})
      FROM written w JOIN t ON t.id = w.episode_id JOIN alert_channels c ON c.workspace_id = t.workspace_id AND c.deleted_at IS NULL
      WHERE ${TELLS}`,
    values: [ids],
  });
}

export async function insertTest(client: pg.PoolClient, workspaceId: string, channelId: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `WITH n AS (INSERT INTO alert_notifications (workspace_id, kind) VALUES ($1, 'test') RETURNING id)
     INSERT INTO alert_sends (workspace_id, notification_id, channel_id, due_at) SELECT $1, n.id, $2, now() FROM n RETURNING id`,
    [workspaceId, channelId],
  );
  if (!rows[0]) throw new Error("the test was not written");
  return rows[0].id;
}
