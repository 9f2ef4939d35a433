import type pg from "pg";
import type { AlertNotificationKind } from "#lib/contracts/alerts/alerts";
import type { AlertRuleKind } from "#lib/contracts/alerts/rules";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { RULE_RANKS } from "./message/severity.ts";

/** Lease of a channel, longer than any request lasts. */
const LEASE_SECONDS = 60;
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;
const MAX_SENDS = 200;

export type ClaimedChannel = {
  id: string;
  workspaceId: WorkspaceId;
  /** An AlertChannelKind, unless a newer version made the channel. */
  kind: string;
  recipients: string[];
  /** `updated_at` as text, at full precision. */
  changedAt: string;
};

export type PendingSend = {
  id: number;
  kind: AlertNotificationKind;
  /** This one included if it counts. */
  attempts: number;
  /** True if due or a first attempt; a send that only comes along keeps its schedule. */
  counts: boolean;
  episodeId: string;
  rule: AlertRuleKind;
  subject: string;
  title: string;
  detail: string;
  path: string;
  action: string;
  count: number | null;
  unit: string | null;
  openedAt: Date;
  closedAt: Date | null;
};

export type ClaimedMessage = { channel: ClaimedChannel; test: { id: number } | null; sends: PendingSend[] };

const NOW_DUE = "s.state = 'pending' AND s.due_at <= clock_timestamp()";
/** A channel that asked to wait gets only tests. */
const DUE = `EXISTS (SELECT 1 FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id
  WHERE s.channel_id = c.id AND ${NOW_DUE} AND (c.held_until IS NULL OR c.held_until <= clock_timestamp() OR n.kind = 'test'))`;

const COLUMNS = `s.id, n.kind, s.attempts, s.counts, e.id AS "episodeId", e.rule, e.subject, e.title, e.detail, e.path, e.action, e.count, e.unit,
  e.opened_at AS "openedAt", e.closed_at AS "closedAt"`;

/** Leases a channel with something due and takes all it waits for, also what is due later: a message says what is so now. */
export async function claimMessage(sender: string, channelId: string | null = null): Promise<ClaimedMessage | null> {
  return inTransaction(pool("forwarding"), async (client) => {
    const { rows } = await client.query<ClaimedChannel>(
      `UPDATE alert_channels a SET sender = $1, sender_until = ${LEASE}
       WHERE a.id = (
         SELECT c.id FROM alert_channels c WHERE c.deleted_at IS NULL AND ($2::text IS NULL OR c.id = $2)
           AND (c.sender_until IS NULL OR c.sender_until <= clock_timestamp()) AND ${DUE} LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING a.id, a.workspace_id AS "workspaceId", a.kind, a.recipients, a.updated_at::text AS "changedAt"`,
      [sender, channelId],
    );
    const [channel] = rows;
    if (!channel) return null;
    const test = await takeTest(client, channel.id);
    const sends = test ? [] : await takePending(client, channel.id);
    if (test || sends.length > 0) return { channel, test, sends };
    await client.query("UPDATE alert_channels SET sender = NULL, sender_until = NULL WHERE id = $1", [channel.id]);
    return null;
  });
}

/** Releases a channel after a claim whose commit was not answered; counted attempts stay counted. */
export async function leaveChannel(sender: string): Promise<void> {
  await pool("forwarding").query("UPDATE alert_channels SET sender = NULL, sender_until = NULL WHERE sender = $1", [sender]);
}

async function takeTest(client: pg.PoolClient, channelId: string): Promise<{ id: number } | null> {
  const { rows } = await client.query<{ id: number }>(
    `UPDATE alert_sends SET attempts = attempts + 1 WHERE id = (
       SELECT s.id FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id
       WHERE s.channel_id = $1 AND s.state = 'pending' AND n.kind = 'test' LIMIT 1 FOR UPDATE OF s) RETURNING id`,
    [channelId],
  );
  return rows[0] ?? null;
}

/** Takes due sends before others, open alerts before closed, the gravest first, then the newest; an alert's sends stay together. */
async function takePending(client: pg.PoolClient, channelId: string): Promise<PendingSend[]> {
  const { rows } = await client.query<PendingSend>(
    `WITH ranked AS (
       SELECT w.id, w.counts, bool_or(w.counts) OVER (PARTITION BY e.id) AS due, e.closed_at IS NOT NULL AS over,
         coalesce(($2::jsonb ->> e.rule)::int, 0) AS rank, e.opened_at, e.id AS episode_id
       FROM (SELECT id, notification_id, due_at <= clock_timestamp() OR attempts = 0 AS counts FROM alert_sends
             WHERE channel_id = $1 AND state = 'pending') w
       JOIN alert_notifications n ON n.id = w.notification_id JOIN alert_episodes e ON e.id = n.episode_id
       ORDER BY due DESC, over, rank, opened_at DESC, episode_id, id LIMIT ${MAX_SENDS}),
     waiting AS (SELECT s.id, r.counts FROM ranked r JOIN alert_sends s ON s.id = r.id WHERE s.state = 'pending' FOR UPDATE OF s),
     taken AS (
       UPDATE alert_sends s SET attempts = s.attempts + w.counts::int FROM waiting w WHERE s.id = w.id
       RETURNING s.id, s.notification_id, s.attempts, w.counts)
     SELECT ${COLUMNS} FROM taken s JOIN alert_notifications n ON n.id = s.notification_id JOIN alert_episodes e ON e.id = n.episode_id ORDER BY s.id`,
    [channelId, JSON.stringify(RULE_RANKS)],
  );
  return rows;
}

/** Records what arrived, even after the lease has passed on; repeatable. @returns false if another sender now has the channel */
export async function markSent(sender: string, channelId: string, sendIds: number[], detail: string): Promise<boolean> {
  return inTransaction(pool("forwarding"), async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      `UPDATE alert_channels SET failing_since = NULL, last_sent_at = now(),
         sender_until = CASE WHEN sender = $2 THEN ${LEASE} ELSE sender_until END
       WHERE id = $1 RETURNING coalesce(sender = $2, false) AS held`,
      [channelId, sender],
    );
    await client.query(
      "UPDATE alert_sends SET state = 'sent', outcome = $2, finished_at = now() WHERE id = ANY($1::bigint[]) AND state = 'pending'",
      [sendIds, detail],
    );
    return rows[0]?.held ?? false;
  });
}

/** `waitMs` null: given up. */
export type FailedSend = { id: number; waitMs: number | null };

/** `holdMs`: how long the channel asked to be left alone. */
export type SendFailure = { detail: string; holdMs: number | null };

/** `untried`: attempts that were counted but not made. */
export type Rest = { failed: FailedSend[]; untried: number[]; failure: SendFailure | null };

/** Records what did not arrive and releases the channel; does nothing once another sender has it. */
export async function giveBack(
  sender: string,
  { id: channelId, changedAt }: Pick<ClaimedChannel, "id" | "changedAt">,
  { failed, untried, failure }: Rest,
): Promise<void> {
  const holdMs = failure?.holdMs ?? null;
  await inTransaction(pool("forwarding"), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE alert_channels SET sender = NULL, sender_until = NULL,
         held_until = CASE WHEN updated_at::text = $5 THEN clock_timestamp() + make_interval(secs => $4::float8) ELSE held_until END,
         failing_since = CASE WHEN $3::text IS NULL THEN failing_since ELSE coalesce(failing_since, now()) END,
         last_failure_at = CASE WHEN $3 IS NULL THEN last_failure_at ELSE now() END, last_failure_text = coalesce($3, last_failure_text)
       WHERE id = $1 AND sender = $2`,
      [channelId, sender, failure?.detail ?? null, holdMs === null ? null : holdMs / 1000, changedAt],
    );
    if (rowCount === 0) return;
    await client.query(
      `UPDATE alert_sends s SET outcome = $3, due_at = CASE WHEN u.wait_s IS NULL THEN s.due_at ELSE clock_timestamp() + make_interval(secs => u.wait_s) END,
         state = CASE WHEN u.wait_s IS NULL THEN 'failed' ELSE s.state END, finished_at = CASE WHEN u.wait_s IS NULL THEN now() END
       FROM unnest($1::bigint[], $2::float8[]) AS u(id, wait_s) WHERE s.id = u.id AND s.state = 'pending'`,
      [failed.map(({ id }) => id), failed.map(({ waitMs }) => (waitMs === null ? null : waitMs / 1000)), failure?.detail ?? ""],
    );
    await client.query("UPDATE alert_sends SET attempts = attempts - 1 WHERE id = ANY($1::bigint[]) AND state = 'pending'", [untried]);
  });
}

export async function findSend(id: number): Promise<{ state: string; outcome: string | null } | null> {
  const { rows } = await pool().query<{ state: string; outcome: string | null }>("SELECT state, outcome FROM alert_sends WHERE id = $1", [
    id,
  ]);
  return rows[0] ?? null;
}
