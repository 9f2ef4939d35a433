import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import { SqlValues } from "#lib/db/filter-conditions";
import { pool } from "#lib/db/pool";
import { type DeliveryNarrowing, narrowingSql, STATE_SQL } from "./delivery-narrowing.ts";

export type StoredDelivery = {
  id: number;
  destinationId: string;
  destinationName: string;
  eventId: string;
  type: string;
  receivedAt: Date;
  seq: number;
  subject: string;
  state: DeliveryState;
  tries: number;
  createdAt: Date;
  dueAt: Date;
  finishedAt: Date | null;
  lastCode: string | null;
  lastText: string | null;
};

const COLUMNS = `f.id, f.destination_id AS "destinationId", d.name AS "destinationName", f.event_id AS "eventId", f.type, f.received_at AS "receivedAt", f.seq,
  f.subject, ${STATE_SQL} AS state, f.tries, f.created_at AS "createdAt", f.due_at AS "dueAt", f.finished_at AS "finishedAt",
  f.last_code AS "lastCode", f.last_text AS "lastText"`;

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
  const { rows } = await pool().query<StoredDelivery>(
    `SELECT found.* FROM destinations d CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM forward_deliveries f WHERE f.destination_id = d.id AND ${conditions.join(" AND ")}
       ORDER BY f.received_at DESC, f.seq DESC LIMIT ${most}) found
     WHERE d.workspace_id = $1 AND ${which}
     ORDER BY found."receivedAt" DESC, found.seq DESC, found.id LIMIT ${most}`,
    values,
  );
  return rows;
}

export async function findDelivery(workspaceId: WorkspaceId, id: number): Promise<StoredDelivery | null> {
  const { rows } = await pool().query<StoredDelivery>(
    `SELECT ${COLUMNS} FROM forward_deliveries f JOIN destinations d ON d.id = f.destination_id WHERE f.workspace_id = $1 AND f.id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

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

export type StoredAttempt = {
  id: number;
  number: number;
  at: Date;
  outcome: string;
  detail: string;
  probe: boolean;
  url: string;
  requestHeaders: Record<string, string>;
  status: number | null;
  responseHeaders: Record<string, string | string[]> | null;
  responseBody: Buffer | null;
  remoteAddress: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  totalMs: number;
};

const MAX_ATTEMPTS = 50;

export async function listDeliveryAttempts(workspaceId: WorkspaceId, deliveryId: number): Promise<StoredAttempt[]> {
  const { rows } = await pool().query<StoredAttempt>(
    `SELECT id, number, at, outcome, detail, probe, url, request_headers AS "requestHeaders", status, response_headers AS "responseHeaders",
       response_body AS "responseBody", remote_address AS "remoteAddress", dns_ms AS "dnsMs", connect_ms AS "connectMs", tls_ms AS "tlsMs",
       first_byte_ms AS "firstByteMs", total_ms AS "totalMs"
     FROM forward_attempts WHERE workspace_id = $1 AND delivery_id = $2 ORDER BY id DESC LIMIT $3`,
    [workspaceId, deliveryId, MAX_ATTEMPTS],
  );
  return rows;
}
