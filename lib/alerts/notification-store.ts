import type pg from "pg";
import type { AlertNotificationKind, AlertRuleKind } from "#lib/contracts/alerts";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import type { AlertTest } from "#lib/db/generated/client";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { changesOne, queryRow, queryRows } from "#lib/db/rows";
import { DUE_NOW } from "#lib/db/sql";
import { RULE_RANKS } from "./severity.ts";

/** Takes the turn to evaluate conditions, until the transaction ends. @returns false while another process has it */
export async function claimWatch(client: pg.PoolClient): Promise<boolean> {
  await client.query("INSERT INTO alert_watch (id) VALUES (1) ON CONFLICT DO NOTHING");
  return changesOne(client, "SELECT 1 FROM alert_watch WHERE id = 1 FOR UPDATE SKIP LOCKED");
}

/** Takes the turn to send the heartbeat: once a minute per installation. */
export async function claimHeartbeat(): Promise<boolean> {
  await pool("worker").query("INSERT INTO alert_watch (id) VALUES (1) ON CONFLICT DO NOTHING");
  return changesOne(
    pool("worker"),
    `UPDATE alert_watch SET heartbeat_at = now() WHERE id = 1 AND (heartbeat_at IS NULL OR heartbeat_at <= now() - interval '59 seconds')`,
  );
}

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
     INSERT INTO alert_sends (workspace_id, notification_id, channel_id, due_at) SELECT $1, n.id, $2, ${DUE_NOW} FROM n RETURNING id`,
    [workspaceId, channelId],
  );
  if (!rows[0]) throw new Error("the test was not written");
  return rows[0].id;
}

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

const PENDING = {
  id: column<number>("s.id"),
  kind: column<AlertNotificationKind>("n.kind"),
  /** This one included if it counts. */
  attempts: column<number>("s.attempts"),
  /** True if due or a first attempt; a send that only comes along keeps its schedule. */
  counts: column<boolean>("s.counts"),
  episodeId: column<string>("e.id"),
  rule: column<AlertRuleKind>(),
  subject: column<string>(),
  title: column<string>(),
  detail: column<string>(),
  path: column<string>(),
  action: column<string>(),
  count: column<number | null>(),
  unit: column<string | null>(),
  openedAt: column<Date>(),
  closedAt: column<Date | null>(),
};

export type PendingSend = RowOf<typeof PENDING>;

export type ClaimedMessage = { channel: ClaimedChannel; test: { id: number } | null; sends: PendingSend[] };

const NOW_DUE = "s.state = 'pending' AND s.due_at <= clock_timestamp()";
/** A channel that asked to wait gets only tests. */
const DUE = `EXISTS (SELECT 1 FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id
  WHERE s.channel_id = c.id AND ${NOW_DUE} AND (c.held_until IS NULL OR c.held_until <= clock_timestamp() OR n.kind = 'test'))`;

const COLUMNS = columnsSql(PENDING, "e");

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

const takeTest = (client: pg.PoolClient, channelId: string): Promise<{ id: number } | null> =>
  queryRow<{ id: number }>(
    client,
    `UPDATE alert_sends SET attempts = attempts + 1 WHERE id = (
       SELECT s.id FROM alert_sends s JOIN alert_notifications n ON n.id = s.notification_id
       WHERE s.channel_id = $1 AND s.state = 'pending' AND n.kind = 'test' LIMIT 1 FOR UPDATE OF s) RETURNING id`,
    [channelId],
  );

/** Takes due sends before others, open alerts before closed, the gravest first, then the newest; an alert's sends stay together. */
const takePending = (client: pg.PoolClient, channelId: string): Promise<PendingSend[]> =>
  queryRows<PendingSend>(
    client,
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

/** @returns false if another sender now has the channel */
export const renewLease = (sender: string, channelId: string): Promise<boolean> =>
  changesOne(pool("forwarding"), `UPDATE alert_channels SET sender_until = ${LEASE} WHERE id = $1 AND sender = $2`, [channelId, sender]);

/** `waitMs` null: given up. */
type FailedSend = { id: number; waitMs: number | null };

/** `holdMs`: how long the channel asked to be left alone. */
type SendFailure = { detail: string; holdMs: number | null };

/** `untried`: attempts that were counted but not made. */
type Rest = { failed: FailedSend[]; untried: number[]; failure: SendFailure | null };

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

export const findSend = (id: number): Promise<{ state: string; outcome: string | null } | null> =>
  queryRow<{ state: string; outcome: string | null }>(pool(), "SELECT state, outcome FROM alert_sends WHERE id = $1", [id]);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `others` counts all addresses that are no member's. */
const LIMITS = {
  person: { most: 10, ms: 10 * MINUTE_MS },
  channel: { most: 5, ms: 10 * MINUTE_MS },
  address: { most: 5, ms: HOUR_MS },
  other: { most: 1, ms: DAY_MS },
  others: { most: 50, ms: DAY_MS },
} as const;

/** `askedBy`: ID of a person or API key. `members`: recipients that are members, in lower case. */
type WantedTest = { sendId: number; channelId: string; askedBy: string; recipients: string[]; members: string[] };

/** `until`: when there is room again. */
export type TestLimit = { what: keyof typeof LIMITS; most: number; address: string | null; until: Date };

type Row = Omit<AlertTest, "id">;

/** Counts a test in the transaction that writes it, so two at once queue. An address of no member gets one a day per installation. */
export async function claimTest(client: pg.PoolClient, workspaceId: WorkspaceId, test: WantedTest, now: Date): Promise<TestLimit | null> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('signalbox_alert_tests'))");
  const addresses = [...new Set(test.recipients.map((address) => address.toLowerCase()))];
  const others = addresses.filter((address) => !test.members.includes(address));
  const { sendId, channelId, askedBy } = test;
  const rows = await prisma(client).alertTest.findMany({
    where: { at: { gt: new Date(now.getTime() - DAY_MS) }, OR: [{ workspaceId }, { askedBy }, { address: { in: addresses } }] },
    omit: { id: true },
    orderBy: { at: "asc" },
  });
  const limit = findLimit(rows, { ...test, workspaceId }, addresses, others, now);
  if (limit) return limit;
  const row = { workspaceId, sendId, channelId, askedBy, at: now };
  await prisma(client).alertTest.createMany({
    data:
      addresses.length > 0
        ? addresses.map((address) => ({ ...row, address, known: !others.includes(address) }))
        : [{ ...row, address: null, known: true }],
  });
  return null;
}

type Test = Pick<WantedTest, "channelId" | "askedBy"> & { workspaceId: string };

function findLimit(rows: Row[], test: Test, addresses: string[], others: string[], now: Date): TestLimit | null {
  const reached = (what: keyof typeof LIMITS, counted: Row[], added = 1, address: string | null = null): TestLimit | null => {
    const { most, ms } = LIMITS[what];
    const recent = counted.filter(({ at }) => at.getTime() > now.getTime() - ms);
    const over = recent.length + added - most;
    if (over <= 0) return null;
    const freed = recent[Math.min(over, recent.length) - 1]?.at ?? now;
    return { what, most, address, until: new Date(freed.getTime() + ms) };
  };
  const tests = [...new Map(rows.map((row) => [row.sendId, row])).values()];
  const own = ({ workspaceId, askedBy }: Row) => workspaceId === test.workspaceId || askedBy === test.askedBy;
  const of = (address: string) => rows.filter((row) => row.address === address);
  const byPerson = tests.filter(({ askedBy }) => askedBy === test.askedBy);
  const overChannel = tests.filter(({ channelId }) => channelId === test.channelId);
  const toOthers = rows.filter((row) => !row.known && own(row));
  return (
    reached("person", byPerson) ??
    reached("channel", overChannel) ??
    others.map((address) => reached("other", of(address), 1, address)).find((limit) => limit !== null) ??
    addresses.map((address) => reached("address", of(address), 1, address)).find((limit) => limit !== null) ??
    reached("others", toOthers, others.length)
  );
}

/** Stops counting a test that did not arrive against its recipients. */
export async function forgetRecipients(sendId: number): Promise<void> {
  await prisma().alertTest.updateMany({ where: { sendId }, data: { address: null, known: true } });
}

export async function deleteOldTests(now: Date): Promise<number> {
  const { count } = await prisma().alertTest.deleteMany({ where: { at: { lt: new Date(now.getTime() - DAY_MS) } } });
  return count;
}
