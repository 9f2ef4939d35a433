import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { AttemptOutcome, DeliveryState } from "#lib/contracts/forwarding/deliveries";
import { HELD_DAYS } from "#lib/contracts/forwarding/delivery-states";
import type { EventFilter } from "#lib/contracts/forwarding/event-filter";
import { arraysOf, column, columnsSql, type RowOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { countChanged, queryRow, queryRows, queryValue } from "#lib/db/rows";
import { CUTOFF, DUE_NOW, SqlValues } from "#lib/db/sql";
import { type DeliveryNarrowing, narrowingSql, STATE_SQL } from "./delivery.ts";

export type ReceivingDestination = {
  id: string;
  workspaceId: WorkspaceId;
  sourceIds: string[];
  types: string[];
  filter: EventFilter | null;
  createdAt: Date;
};

/** Lists all destinations of these workspaces, paused and suspended ones too: deliveries to them wait. */
export const listReceiving = (client: pg.PoolClient, workspaceIds: WorkspaceId[]): Promise<ReceivingDestination[]> =>
  queryRows<ReceivingDestination>(client, {
    name: "destinations-receiving",
    text: `SELECT id, workspace_id AS "workspaceId", source_ids AS "sourceIds", types, filter, created_at AS "createdAt"
      FROM destinations WHERE workspace_id = ANY($1::text[]) AND deleted_at IS NULL ORDER BY id`,
    values: [workspaceIds],
  });

export type NewDelivery = Pick<StoredDelivery, "destinationId" | "receivedAt" | "seq" | "eventId" | "type" | "subject"> & {
  workspaceId: WorkspaceId;
};

const START_OVER = `UPDATE SET state = 'pending', attempts = 0, starts = forward_deliveries.starts + 1, due_at = ${DUE_NOW}, finished_at = NULL
  WHERE forward_deliveries.state <> 'pending' OR forward_deliveries.attempts > 0`;

const ROWS = `unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[], $5::text[], $6::text[], $7::text[])`;
const COLUMNS = "workspace_id, destination_id, received_at, seq, event_id, type, subject";

const valuesOf = (deliveries: NewDelivery[]) =>
  arraysOf(deliveries, "workspaceId", "destinationId", "receivedAt", "seq", "eventId", "type", "subject");

/** Writes deliveries in the transaction in hand and returns their number. An existing one stays as it is, or starts over with `again`. */
export const insertDeliveries = (client: pg.PoolClient, deliveries: NewDelivery[], again = false): Promise<number> =>
  countChanged(client, {
    name: again ? "forward-insert-again" : "forward-insert",
    text: `INSERT INTO forward_deliveries (${COLUMNS}) SELECT * FROM ${ROWS}
      ON CONFLICT (destination_id, received_at, seq) DO ${again ? START_OVER : "NOTHING"}`,
    values: valuesOf(deliveries),
  });

const END_OVER = `UPDATE SET state = excluded.state, finished_at = excluded.finished_at, last_code = excluded.last_code, last_text = excluded.last_text,
  tries = forward_deliveries.tries + 1`;

/** Inserts deliveries that a filter could not decide as exhausted, for a person to see. It counts as a try. Returns those written. */
export const insertUnmatched = (
  client: pg.PoolClient,
  deliveries: NewDelivery[],
  why: { outcome: AttemptOutcome; detail: string },
  again: boolean,
): Promise<NewDelivery[]> =>
  queryRows<NewDelivery>(client, {
    name: again ? "forward-insert-unmatched-again" : "forward-insert-unmatched",
    text: `INSERT INTO forward_deliveries (${COLUMNS}, state, tries, finished_at, last_code, last_text)
      SELECT *, 'exhausted', 1, clock_timestamp(), $8::text, $9::text FROM ${ROWS}
      ON CONFLICT (destination_id, received_at, seq) DO ${again ? END_OVER : "NOTHING"}
      RETURNING workspace_id AS "workspaceId", destination_id AS "destinationId", received_at AS "receivedAt", seq,
        event_id AS "eventId", type, subject`,
    values: [...valuesOf(deliveries), why.outcome, why.detail],
  });

const LISTED = {
  id: column<number>(),
  destinationId: column<string>(),
  destinationName: column<string>("d.name"),
  eventId: column<string>(),
  type: column<string>(),
  receivedAt: column<Date>(),
  seq: column<number>(),
  subject: column<string>(),
  state: column<DeliveryState>(STATE_SQL),
  tries: column<number>(),
  createdAt: column<Date>(),
  dueAt: column<Date>(),
  finishedAt: column<Date | null>(),
  lastCode: column<string | null>(),
  lastText: column<string | null>(),
};

export type StoredDelivery = RowOf<typeof LISTED>;

const LISTED_COLUMNS = columnsSql(LISTED, "f");

/** Lists deliveries by their event's receipt, newest first. Reads destination by destination, each through its own index. */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  { destination, ...narrowing }: DeliveryNarrowing & { destination?: string | undefined },
  limit: number,
  before: { receivedAt: Date; seq: number; id: number } | null,
): Promise<StoredDelivery[]> {
  const { values, bind } = new SqlValues(workspaceId);
  const conditions = [narrowingSql(narrowing, bind)];
  if (before) {
    const [at, seq, id] = [bind(before.receivedAt), bind(before.seq), bind(before.id)];
    conditions.push(`(f.received_at, f.seq) <= (${at}::timestamptz, ${seq}::bigint)`);
    conditions.push(`((f.received_at, f.seq) < (${at}::timestamptz, ${seq}::bigint) OR f.id > ${id}::bigint)`);
  }
  // Deliveries to a deleted destination are listed only by its ID or on the event's page.
  const which = destination === undefined ? (narrowing.events ? "true" : "d.deleted_at IS NULL") : `d.id = ${bind(destination)}`;
  const most = bind(limit);
  return queryRows<StoredDelivery>(
    pool(),
    `SELECT found.* FROM destinations d CROSS JOIN LATERAL (
       SELECT ${LISTED_COLUMNS} FROM forward_deliveries f WHERE f.destination_id = d.id AND ${conditions.join(" AND ")}
       ORDER BY f.received_at DESC, f.seq DESC LIMIT ${most}) found
     WHERE d.workspace_id = $1 AND ${which}
     ORDER BY found."receivedAt" DESC, found.seq DESC, found.id LIMIT ${most}`,
    values,
  );
}

export const findDelivery = (workspaceId: WorkspaceId, id: number): Promise<StoredDelivery | null> =>
  queryRow<StoredDelivery>(
    pool(),
    `SELECT ${LISTED_COLUMNS} FROM forward_deliveries f JOIN destinations d ON d.id = f.destination_id WHERE f.workspace_id = $1 AND f.id = $2`,
    [workspaceId, id],
  );

export type DeliveryPlace = { id: number; workspaceId: WorkspaceId; destinationId: string; eventId: string; receivedAt: Date; seq: number };

export async function findPlaces(client: pg.PoolClient, ids: number[]): Promise<Map<number, DeliveryPlace>> {
  const { rows } = await client.query<DeliveryPlace>({
    name: "forward-places",
    text: `SELECT id, workspace_id AS "workspaceId", destination_id AS "destinationId", event_id AS "eventId", received_at AS "receivedAt", seq
      FROM forward_deliveries WHERE id = ANY($1::bigint[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

const ATTEMPT = {
  id: column<number>(),
  number: column<number>(),
  at: column<Date>(),
  outcome: column<string>(),
  detail: column<string>(),
  probe: column<boolean>(),
  url: column<string>(),
  requestHeaders: column<Record<string, string>>(),
  status: column<number | null>(),
  responseHeaders: column<Record<string, string | string[]> | null>(),
  responseBody: column<Buffer | null>(),
  remoteAddress: column<string | null>(),
  dnsMs: column<number | null>(),
  connectMs: column<number | null>(),
  tlsMs: column<number | null>(),
  firstByteMs: column<number | null>(),
  totalMs: column<number>(),
};

export type StoredAttempt = RowOf<typeof ATTEMPT>;

const MAX_ATTEMPTS = 50;

export const listDeliveryAttempts = (workspaceId: WorkspaceId, deliveryId: number): Promise<StoredAttempt[]> =>
  queryRows<StoredAttempt>(
    pool(),
    `SELECT ${columnsSql(ATTEMPT)} FROM forward_attempts WHERE workspace_id = $1 AND delivery_id = $2 ORDER BY id DESC LIMIT $3`,
    [workspaceId, deliveryId, MAX_ATTEMPTS],
  );

/** Excludes deliveries on their way already or without an event, and those recorded after `until` (or now if null). */
const restartable = (until: string) =>
  `d.deleted_at IS NULL AND f.created_at <= coalesce(${until}::timestamptz, now()) AND f.last_code IS DISTINCT FROM 'event_deleted'
   AND (f.state <> 'pending' OR f.attempts > 0)`;

const START = `state = 'pending', attempts = 0, starts = f.starts + 1, due_at = ${DUE_NOW}, finished_at = NULL`;

/** Makes a finished or waiting delivery due now. Returns its state by that; null when it is on its way already or not there. */
export const restartDelivery = (workspaceId: WorkspaceId, id: number): Promise<DeliveryState | null> =>
  queryValue<{ state: DeliveryState }>(
    pool(),
    `UPDATE forward_deliveries f SET ${START} FROM destinations d
     WHERE f.workspace_id = $1 AND f.id = $2 AND d.id = f.destination_id AND ${restartable("now()")} RETURNING ${STATE_SQL} AS state`,
    [workspaceId, id],
  );

/** `destinations`: null for all; `until`: by the database's clock, now if absent. */
export type RestartSet = { workspaceId: WorkspaceId; destinations: string[] | null; narrowing: DeliveryNarrowing; until?: string };

export async function countRestartable({ workspaceId, destinations, narrowing, until }: RestartSet): Promise<Map<string, number>> {
  const { values, bind } = new SqlValues(workspaceId);
  const { rows } = await pool().query<{ id: string; n: number }>(
    `SELECT d.id, count(*) AS n FROM destinations d JOIN forward_deliveries f ON f.destination_id = d.id
     WHERE d.workspace_id = $1 AND (${bind(destinations)}::text[] IS NULL OR d.id = ANY($2)) AND ${narrowingSql(narrowing, bind)}
       AND ${restartable(bind(until ?? null))} GROUP BY d.id ORDER BY d.id`,
    values,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export type RestartPlace = { receivedAt: string; seq: number };

/** Starts a chunk of a destination's deliveries over, oldest event first, in the transaction in hand; null when none is left. */
export async function restartChunk(
  client: pg.PoolClient,
  { workspaceId, narrowing, until }: Omit<RestartSet, "destinations">,
  destinationId: string,
  after: RestartPlace | null,
  limit: number,
): Promise<{ examined: number; started: number; last: RestartPlace } | null> {
  const { values, bind } = new SqlValues(workspaceId);
  const { rows } = await client.query<{ receivedAt: Date; seq: number; started: boolean }>(
    `WITH found AS MATERIALIZED (
       SELECT next.* FROM destinations d CROSS JOIN LATERAL (
         SELECT f.id, f.received_at, f.seq FROM forward_deliveries f WHERE f.destination_id = d.id AND ${narrowingSql(narrowing, bind)}
           AND ${restartable(bind(until ?? null))}
           AND (f.received_at, f.seq) > (${bind(after?.receivedAt ?? "-infinity")}::timestamptz, ${bind(after?.seq ?? 0)}::bigint)
         ORDER BY f.received_at, f.seq LIMIT ${bind(limit)}) next
       WHERE d.workspace_id = $1 AND d.id = ${bind(destinationId)}),
     started AS (
       UPDATE forward_deliveries f SET ${START} WHERE f.id = ANY (ARRAY(SELECT id FROM found)) AND (f.state <> 'pending' OR f.attempts > 0)
       RETURNING f.id)
     SELECT found.received_at AS "receivedAt", found.seq, started.id IS NOT NULL AS started
     FROM found LEFT JOIN started USING (id) ORDER BY found.received_at, found.seq`,
    values,
  );
  const last = rows.at(-1);
  if (!last) return null;
  const started = rows.filter((row) => row.started).length;
  return { examined: rows.length, started, last: { receivedAt: last.receivedAt.toISOString(), seq: last.seq } };
}

/** Rows per statement: each ends well within its time limit, however much is held. */
const CHUNK = 10_000;

const FINISH = `UPDATE forward_deliveries SET state = $4, finished_at = now(), last_code = $4, last_text = $5
  WHERE workspace_id = $1 AND id = ANY (ARRAY(`;

const finishing = (held: string) => `${FINISH} ${held} LIMIT $3)) AND state = 'pending'`;

const EVERY = finishing("SELECT id FROM forward_deliveries WHERE destination_id = $2 AND state = 'pending' ORDER BY due_at, id");

/** All but the newest of each subject. */
const OVERTAKEN = finishing(
  `SELECT f.id FROM forward_deliveries f WHERE f.destination_id = $2 AND f.state = 'pending' AND EXISTS (
     SELECT 1 FROM forward_deliveries n WHERE n.destination_id = f.destination_id AND n.subject = f.subject AND n.state = 'pending'
       AND n.seq > f.seq)`,
);

type Finish = { state: "skipped" | "cancelled"; text: string; keepNewest: boolean };

/** Finishes held deliveries without sending them, a chunk at a time. Returns their number. */
export async function finishHeld(workspaceId: WorkspaceId, destinationId: string, { state, text, keepNewest }: Finish): Promise<number> {
  let finished = 0;
  for (;;) {
    const values = [workspaceId, destinationId, CHUNK, state, text];
    const { rowCount } = await pool().query(keepNewest ? OVERTAKEN : EVERY, values);
    finished += rowCount ?? 0;
    if ((rowCount ?? 0) < CHUNK) return finished;
  }
}

type Places = { receivedAt: string; seq: number }[];

/** Locks deliveries of events that leave the log, so that none is started over meanwhile. Returns the events with pending ones. */
export async function lockDeliveries(client: pg.PoolClient, events: Places): Promise<Set<number>> {
  const { rows } = await client.query<{ seq: number; state: string }>(
    `SELECT f.seq, f.state FROM forward_deliveries f JOIN unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) ON f.received_at = u.at AND f.seq = u.seq
     ORDER BY f.id FOR UPDATE OF f`,
    arraysOf(events, "receivedAt", "seq"),
  );
  return new Set(rows.filter(({ state }) => state === "pending").map(({ seq }) => seq));
}

export async function deleteDeliveries(client: pg.PoolClient, events: Places): Promise<void> {
  await client.query(
    `WITH gone AS (
       DELETE FROM forward_deliveries f USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq)
       WHERE f.received_at = u.at AND f.seq = u.seq RETURNING f.id)
     DELETE FROM forward_attempts a USING gone WHERE a.delivery_id = gone.id`,
    arraysOf(events, "receivedAt", "seq"),
  );
}

type GivenUp = { workspaceId: WorkspaceId; destinationId: string; name: string; count: number; from: Date; to: Date };

/** Gives up deliveries, oldest first and `limit` a destination, that could not be sent for HELD_DAYS after their event's retention. */
export const giveUpHeld = (client: pg.PoolClient, limit: number): Promise<GivenUp[]> =>
  queryRows<GivenUp>(
    client,
    `WITH late AS (
       SELECT held.id FROM destinations d JOIN workspaces w ON w.id = d.workspace_id CROSS JOIN LATERAL (
         SELECT f.id FROM forward_deliveries f
         WHERE f.destination_id = d.id AND f.state = 'pending' AND f.received_at < ${CUTOFF(`(w.retention_days + ${HELD_DAYS})`)}
         ORDER BY f.received_at, f.seq LIMIT $1) held),
     given AS (
       UPDATE forward_deliveries SET state = 'cancelled', finished_at = now(), last_code = 'event_deleted',
         last_text = 'It could not be sent for ${HELD_DAYS} days after the retention of its event, which was deleted'
       WHERE id IN (SELECT id FROM late) AND state = 'pending' RETURNING destination_id, received_at)
     SELECT d.workspace_id AS "workspaceId", d.id AS "destinationId", d.name, count(*) AS count, min(g.received_at) AS from, max(g.received_at) AS to
     FROM given g JOIN destinations d ON d.id = g.destination_id GROUP BY d.id ORDER BY d.id`,
    [limit],
  );

/** Figures by minute are shown for a day. */
const MINUTES_KEPT = "2 days";

export const deleteOldMinutes = (): Promise<number> =>
  countChanged(pool("worker"), `DELETE FROM destination_minutes WHERE minute < now() - interval '${MINUTES_KEPT}'`);

/** Cancels deliveries that a batch wrote for a destination while it was being deleted. */
export const cancelOrphans = (): Promise<number> =>
  countChanged(
    pool("worker"),
    `UPDATE forward_deliveries f SET state = 'cancelled', finished_at = now(), last_code = 'cancelled', last_text = 'The destination was deleted'
     FROM destinations d WHERE d.id = f.destination_id AND d.deleted_at IS NOT NULL AND f.state = 'pending'`,
  );
