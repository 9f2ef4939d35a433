import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import type { EventFilter } from "#lib/contracts/forwarding/event-filter";

export type ReceivingDestination = {
  id: string;
  workspaceId: WorkspaceId;
  sourceIds: string[];
  types: string[];
  filter: EventFilter | null;
  createdAt: Date;
};

/** Lists all destinations of these workspaces, paused and suspended ones too: deliveries to them wait. */
export async function listReceiving(client: pg.PoolClient, workspaceIds: WorkspaceId[]): Promise<ReceivingDestination[]> {
  const { rows } = await client.query<ReceivingDestination>({
    name: "destinations-receiving",
    text: `SELECT id, workspace_id AS "workspaceId", source_ids AS "sourceIds", types, filter, created_at AS "createdAt"
      FROM destinations WHERE workspace_id = ANY($1::text[]) AND deleted_at IS NULL ORDER BY id`,
    values: [workspaceIds],
  });
  return rows;
}

export type NewDelivery = {
  workspaceId: WorkspaceId;
  destinationId: string;
  receivedAt: Date;
  seq: number;
  eventId: string;
  type: string;
  subject: string;
};

const START_OVER = `UPDATE SET state = 'pending', attempts = 0, starts = forward_deliveries.starts + 1, due_at = now(), finished_at = NULL
  WHERE forward_deliveries.state <> 'pending' OR forward_deliveries.attempts > 0`;

const ROWS = `unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[], $5::text[], $6::text[], $7::text[])`;
const COLUMNS = "workspace_id, destination_id, received_at, seq, event_id, type, subject";

function valuesOf(deliveries: NewDelivery[]) {
  const column = <T>(pick: (each: NewDelivery) => T) => deliveries.map(pick);
  return [
    column(({ workspaceId }) => workspaceId),
    column(({ destinationId }) => destinationId),
    column(({ receivedAt }) => receivedAt.toISOString()),
    column(({ seq }) => seq),
    column(({ eventId }) => eventId),
    column(({ type }) => type),
    column(({ subject }) => subject),
  ];
}

/** Writes deliveries in the transaction in hand and returns their number. An existing one stays as it is, or starts over with `again`. */
export async function insertDeliveries(client: pg.PoolClient, deliveries: NewDelivery[], again = false): Promise<number> {
  const { rowCount } = await client.query({
    name: again ? "forward-insert-again" : "forward-insert",
    text: `INSERT INTO forward_deliveries (${COLUMNS}) SELECT * FROM ${ROWS}
      ON CONFLICT (destination_id, received_at, seq) DO ${again ? START_OVER : "NOTHING"}`,
    values: valuesOf(deliveries),
  });
  return rowCount ?? 0;
}

const END_OVER = `UPDATE SET state = excluded.state, finished_at = excluded.finished_at, last_code = excluded.last_code, last_text = excluded.last_text,
  tries = forward_deliveries.tries + 1`;

/** Inserts deliveries that a filter could not decide as exhausted, for a person to see. It counts as a try. Returns those written. */
export async function insertUnmatched(
  client: pg.PoolClient,
  deliveries: NewDelivery[],
  why: { outcome: AttemptOutcome; detail: string },
  again: boolean,
): Promise<NewDelivery[]> {
  const { rows } = await client.query<NewDelivery>({
    name: again ? "forward-insert-unmatched-again" : "forward-insert-unmatched",
    text: `INSERT INTO forward_deliveries (${COLUMNS}, state, tries, finished_at, last_code, last_text)
      SELECT *, 'exhausted', 1, clock_timestamp(), $8::text, $9::text FROM ${ROWS}
      ON CONFLICT (destination_id, received_at, seq) DO ${again ? END_OVER : "NOTHING"}
      RETURNING workspace_id AS "workspaceId", destination_id AS "destinationId", received_at AS "receivedAt", seq,
        event_id AS "eventId", type, subject`,
    values: [...valuesOf(deliveries), why.outcome, why.detail],
  });
  return rows;
}
