import type { EventStatus, EventSummary, ResourceRef } from "#lib/contracts/events";
import { describeType } from "#lib/platform/event-catalogue";

/** A row of the log with what stands beside it, as the reading statements select it. */
export type EventRow = {
  received_at: Date;
  seq: number;
  event_id: string;
  type: string;
  created: number;
  recognised: boolean;
  source_name: string;
  bytes: number;
  repeats: number;
  conflicts: number;
  pending: boolean;
  dead: boolean;
  refs: ResourceRef[] | null;
};

/** The columns of an `EventRow`, from `events e`. */
export const EVENT_COLUMNS = `e.received_at, e.seq, e.event_id, e.type, e.created, e.recognised, s.name AS source_name,
  octet_length(e.body) AS bytes, coalesce(k.repeats, 0) AS repeats,
  (SELECT count(*)::int FROM event_conflicts c WHERE c.source_id = e.source_id AND c.event_id = e.event_id) AS conflicts,
  EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = e.received_at AND i.seq = e.seq) AS pending,
  EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq) AS dead,
  (SELECT jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.ref) ORDER BY r.kind, r.ref) FROM event_refs r
    WHERE r.received_at = e.received_at AND r.seq = e.seq) AS refs`;

/** The joins that those columns need. */
export const EVENT_JOINS = `JOIN sources s ON s.id = e.source_id
  LEFT JOIN event_keys k ON k.source_id = e.source_id AND k.event_id = e.event_id`;

/** An event's status is derived: in the inbox it is pending, as a dead letter failed, else processed. */
export function statusOf(row: Pick<EventRow, "pending" | "dead" | "recognised">): EventStatus {
  if (row.pending) return "pending";
  if (row.dead) return "failed";
  return row.recognised ? "processed" : "unrecognised";
}

/** A row as lists and the feed show it. */
export function summaryOf(row: EventRow): EventSummary {
  const entry = describeType(row.type);
  return {
    id: row.event_id,
    type: row.type,
    title: entry?.title ?? row.type,
    source: row.source_name,
    status: statusOf(row),
    reportsFailure: entry?.reportsFailure ?? false,
    resources: row.refs ?? [],
    created: isoSeconds(row.created),
    receivedAt: row.received_at.toISOString(),
    bytes: row.bytes,
    repeats: row.repeats,
    conflicts: row.conflicts,
  };
}

/** Unix seconds as ISO 8601; the end of the calendar for a moment beyond it. */
function isoSeconds(seconds: number): string {
  const at = new Date(seconds * 1000);
  return (Number.isNaN(at.getTime()) ? new Date(8.64e15 * Math.sign(seconds)) : at).toISOString();
}
