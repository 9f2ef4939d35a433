import type pg from "pg";
import type { AlertNotificationKind } from "#lib/contracts/alerts/alerts";
import type { AlertChannelKind } from "#lib/contracts/alerts/channels";
import type { AlertRuleKind } from "#lib/contracts/alerts/rules";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";

/** How long a channel has one sender without a result. Longer than any attempt lasts. Seconds. */
const LEASE_SECONDS = 60;
/** Alerts in one message. */
const MOST = 200;

/** A channel that one sender has for itself, as it sends. */
export type ClaimedChannel = {
  id: string;
  workspaceId: WorkspaceId;
  kind: AlertChannelKind;
  recipients: string[];
  target: string;
  /** When it was last changed, to the letter. */
  changedAt: string;
};

/** A notification that waits to be sent, with what is known of its episode now. */
export type PendingSend = {
  id: number;
  kind: AlertNotificationKind;
  /** How many were made, this one included if it counts. */
  attempts: number;
  /** Whether this attempt counts: it was due, or is its first. What waits for its next attempt and is told along keeps its schedule. */
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

/** What one sender may send over one channel: alerts that share a message, or a test. */
export type ClaimedMessage = { channel: ClaimedChannel; test: { id: number } | null; sends: PendingSend[] };

const NOW_DUE = "s.state = 'pending' AND s.due_at <= clock_timestamp()";
/** Something is due, and the channel has not asked to wait; a test is sent nevertheless. */
const DUE = `EXISTS (SELECT 1 FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id
  WHERE s.channel_id = c.id AND ${NOW_DUE} AND (c.held_until IS NULL OR c.held_until <= clock_timestamp() OR n.kind = 'test'))`;

const COLUMNS = `s.id, n.kind, s.attempts, s.counts, e.id AS "episodeId", e.rule, e.subject, e.title, e.detail, e.path, e.action, e.count, e.unit,
  e.opened_at AS "openedAt", e.closed_at AS "closedAt"`;

/**
 * Takes a channel over which something is due, for this sender alone, and all
 * that waits there: also what would be due later, so that a message says what is
 * so now. A sender that dies leaves it to the others after a minute.
 *
 * @param channelId only this one
 * @returns null when nothing is due, or somebody else sends it
 */
export async function claimMessage(sender: string, channelId: string | null = null): Promise<ClaimedMessage | null> {
  return inTransaction(pool("forwarding"), async (client) => {
    const { rows } = await client.query<ClaimedChannel>(
      `UPDATE alert_channels a SET sender = $1, sender_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
       WHERE a.id = (
         SELECT c.id FROM alert_channels c WHERE c.deleted_at IS NULL AND ($2::text IS NULL OR c.id = $2)
           AND (c.sender_until IS NULL OR c.sender_until <= clock_timestamp()) AND ${DUE} LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING a.id, a.workspace_id AS "workspaceId", a.kind, a.recipients, a.target, a.updated_at::text AS "changedAt"`,
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

async function takeTest(client: pg.PoolClient, channelId: string): Promise<{ id: number } | null> {
  const { rows } = await client.query<{ id: number }>(
    `UPDATE alert_sends SET attempts = attempts + 1 WHERE id = (
       SELECT s.id FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id
       WHERE s.channel_id = $1 AND s.state = 'pending' AND n.kind = 'test' LIMIT 1 FOR UPDATE OF s) RETURNING id`,
    [channelId],
  );
  return rows[0] ?? null;
}

async function takePending(client: pg.PoolClient, channelId: string): Promise<PendingSend[]> {
  const { rows } = await client.query<PendingSend>(
    `WITH waiting AS (
       SELECT s.id, s.due_at <= clock_timestamp() OR s.attempts = 0 AS counts FROM alert_sends s
       WHERE s.channel_id = $1 AND s.state = 'pending' ORDER BY s.due_at, s.id LIMIT ${MOST} FOR UPDATE),
     taken AS (
       UPDATE alert_sends s SET attempts = s.attempts + w.counts::int FROM waiting w WHERE s.id = w.id
       RETURNING s.id, s.notification_id, s.attempts, w.counts)
     SELECT ${COLUMNS} FROM taken s JOIN alert_notifications n ON n.id = s.notification_id JOIN alert_episodes e ON e.id = n.episode_id ORDER BY s.id`,
    [channelId],
  );
  return rows;
}

/** What became of a message. `waitMs`: when it is tried again; null when it arrived or is given up. */
export type SendResult = { id: number; arrived: boolean; waitMs: number | null };

/** What became of a message as a whole: in words, and how long its channel asked to be left alone. */
export type MessageOutcome = { arrived: boolean; detail: string; holdMs: number | null };

/**
 * Records what became of a message and gives the channel back.
 *
 * @param results of what arrived, and of what failed in an attempt that counts
 */
export async function recordSends(
  sender: string,
  { id: channelId, changedAt }: Pick<ClaimedChannel, "id" | "changedAt">,
  results: SendResult[],
  { arrived, detail, holdMs }: MessageOutcome,
): Promise<void> {
  await inTransaction(pool("forwarding"), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE alert_channels SET sender = NULL, sender_until = NULL,
         held_until = CASE WHEN updated_at::text = $6 THEN clock_timestamp() + make_interval(secs => $5::float8) ELSE held_until END,
         failing_since = CASE WHEN $3 THEN NULL ELSE coalesce(failing_since, now()) END, last_sent_at = CASE WHEN $3 THEN now() ELSE last_sent_at END,
         last_failure_at = CASE WHEN $3 THEN last_failure_at ELSE now() END, last_failure_text = CASE WHEN $3 THEN last_failure_text ELSE $4 END
       WHERE id = $1 AND sender = $2`,
      [channelId, sender, arrived, detail, holdMs === null ? null : holdMs / 1000, changedAt],
    );
    if (rowCount === 0) return; // the lease ran out: whoever has it now sends and records
    await client.query(
      `UPDATE alert_sends s SET outcome = $4, due_at = CASE WHEN u.wait_s IS NULL THEN s.due_at ELSE clock_timestamp() + make_interval(secs => u.wait_s) END,
         state = CASE WHEN u.arrived THEN 'sent' WHEN u.wait_s IS NULL THEN 'failed' ELSE s.state END,
         finished_at = CASE WHEN u.arrived OR u.wait_s IS NULL THEN now() END
       FROM unnest($1::bigint[], $2::bool[], $3::float8[]) AS u(id, arrived, wait_s) WHERE s.id = u.id AND s.state = 'pending'`,
      [
        results.map(({ id }) => id),
        results.map((each) => each.arrived),
        results.map(({ waitMs }) => (waitMs === null ? null : waitMs / 1000)),
        detail,
      ],
    );
  });
}

/** How one thing that was sent stands; null when it is not there. */
export async function findSend(id: number): Promise<{ state: string; outcome: string | null } | null> {
  const { rows } = await pool().query<{ state: string; outcome: string | null }>("SELECT state, outcome FROM alert_sends WHERE id = $1", [
    id,
  ]);
  return rows[0] ?? null;
}
