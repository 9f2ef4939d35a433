import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";

export type NamedEvent = { workspaceId: WorkspaceId; eventId: string };

export const namedEventText = ({ workspaceId, eventId }: NamedEvent) => `${workspaceId} ${eventId}`;

/** Returns those of the events that the log has, by `namedEventText`. */
export async function findKnown(from: pg.Pool | pg.ClientBase, events: NamedEvent[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await from.query<NamedEvent>(
    `SELECT DISTINCT u.w AS "workspaceId", u.e AS "eventId" FROM unnest($1::text[], $2::text[]) AS u(w, e)
     JOIN sources o ON o.workspace_id = u.w JOIN event_keys k ON k.source_id = o.id AND k.event_id = u.e AND k.workspace_id = u.w`,
    [events.map(({ workspaceId }) => workspaceId), events.map(({ eventId }) => eventId)],
  );
  return new Set(rows.map(namedEventText));
}
