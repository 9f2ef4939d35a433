import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { keyOfSql } from "#lib/db/log/key-sql";

/** An event by its ID. */
export type NamedEvent = { workspaceId: WorkspaceId; eventId: string };

/** A text for each event, equal for the same. */
export const namedEventText = ({ workspaceId, eventId }: NamedEvent) => `${workspaceId} ${eventId}`;

/** Which of these events the log has, by `namedEventText`. */
export async function findKnown(from: pg.Pool | pg.ClientBase, events: NamedEvent[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await from.query<NamedEvent>(
    `SELECT u.w AS "workspaceId", u.e AS "eventId" FROM unnest($1::text[], $2::text[]) AS u(w, e)
     WHERE EXISTS (SELECT 1 FROM event_keys k WHERE ${keyOfSql("k", "u.w")} AND k.event_id = u.e)`,
    [events.map(({ workspaceId }) => workspaceId), events.map(({ eventId }) => eventId)],
  );
  return new Set(rows.map(namedEventText));
}
