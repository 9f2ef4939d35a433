import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

export type SizedEvent = { received_at: Date; seq: number; bytes: number };

/** Bytes of bodies in memory at a time. */
export const SLICE_BYTES = 4 * 1_048_576;

/** Cuts events into pieces of at most `SLICE_BYTES` of bodies; a larger event is a piece of its own. */
export function slicesOf<E extends SizedEvent>(events: E[]): E[][] {
  const slices: E[][] = [];
  let left = 0;
  for (const event of events) {
    if (slices.length === 0 || event.bytes > left) {
      slices.push([]);
      left = SLICE_BYTES;
    }
    slices.at(-1)?.push(event);
    left -= event.bytes;
  }
  return slices;
}

/** Returns bodies by sequence number; events that have left the log meanwhile are missing. */
export async function findBodies(events: SizedEvent[]): Promise<Map<number, Buffer>> {
  if (events.length === 0) return new Map();
  const { rows } = await pool().query<{ seq: number; body: Buffer }>(
    `SELECT e.seq, e.body FROM unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq)
     JOIN events e ON e.received_at = u.at AND e.seq = u.seq`,
    [events.map((event) => event.received_at.toISOString()), events.map(({ seq }) => seq)],
  );
  return new Map(rows.map(({ seq, body }) => [seq, body]));
}

export type ReceivedEvent = { eventId: string; type: string; sourceId: string; headers: Record<string, string>; body: Buffer };

/** Returns an event with its request's headers, the signature among them; null when it has left the log. */
export async function findReceived(
  workspaceId: WorkspaceId,
  { received_at, seq }: Pick<SizedEvent, "received_at" | "seq">,
): Promise<ReceivedEvent | null> {
  const { rows } = await pool().query<ReceivedEvent>(
    `SELECT event_id AS "eventId", type, source_id AS "sourceId", headers, body FROM events
     WHERE workspace_id = $1 AND received_at = $2 AND seq = $3`,
    [workspaceId, received_at.toISOString(), seq],
  );
  return rows[0] ?? null;
}
