import type { EventState, EventSummary, ResourceRef } from "#lib/contracts/events/events";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { waitingSql } from "#lib/db/sql";
import { describeType } from "#lib/platform/event-catalogue";
import { eventSeconds } from "#lib/platform/event-time";
import { titleOfSender } from "#lib/platform/schemes/templates";
import { everFailedSql } from "./search/candidate-queries.ts";

export type EventRow = {
  received_at: Date;
  seq: number;
  event_id: string;
  type: string;
  created: number;
  recognised: boolean;
  source_name: string;
  /** Whether the source's events become the platform's records (contracts/sources/templates.ts). */
  records: SourceRecords;
  template: SourceTemplateName;
  bytes: number;
  repeats: number;
  conflicts: number;
  pending: boolean;
  dead: boolean;
  failure_text: string | null;
  ever_failed: boolean;
  last_failure: string | null;
  refs: ResourceRef[] | null;
};

export const EVENT_COLUMNS = `e.received_at, e.seq, e.event_id, e.type, e.created, e.recognised, s.name AS source_name, s.records, s.template,
  octet_length(e.body) AS bytes, coalesce(k.repeats, 0) AS repeats,
  (SELECT count(*)::int FROM event_conflicts c WHERE c.source_id = e.source_id AND c.event_id = e.event_id) AS conflicts,
  ${waitingSql("e")} AS pending,
  EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq) AS dead,
  (SELECT d.failure_text FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq) AS failure_text,
  ${everFailedSql("e")} AS ever_failed,
  (SELECT a.failure_text FROM attempts a WHERE a.received_at = e.received_at AND a.seq = e.seq AND a.outcome = 'failed'
    ORDER BY a.id DESC LIMIT 1) AS last_failure,
  (SELECT jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.ref) ORDER BY r.kind, r.ref) FROM event_refs r
    WHERE r.received_at = e.received_at AND r.seq = e.seq) AS refs`;

export const SOURCE_JOIN = "JOIN sources s ON s.id = e.source_id";

export const EVENT_JOINS = `${SOURCE_JOIN}
  LEFT JOIN event_keys k ON k.source_id = e.source_id AND k.event_id = e.event_id`;

export function stateOf(row: Pick<EventRow, "pending" | "dead" | "recognised">): EventState {
  if (row.pending) return "pending";
  if (row.dead) return "failed";
  return row.recognised ? "processed" : "unrecognised";
}

export function summaryOf(row: EventRow): EventSummary {
  const entry = row.records === "platform" ? describeType(row.type) : null;
  const state = stateOf(row);
  return {
    id: row.event_id,
    type: row.type,
    title: entry?.title ?? titleOfSender(row.template, row.type),
    source: row.source_name,
    state,
    reportsFailure: entry?.reportsFailure ?? false,
    reportedMessage: null,
    failedBecause: state === "failed" ? row.failure_text : null,
    everFailed: row.ever_failed,
    repaired: row.ever_failed && state !== "failed" && state !== "pending",
    lastFailure: row.last_failure ?? row.failure_text,
    resources: row.refs ?? [],
    created: new Date(eventSeconds(row.created, row.received_at) * 1000).toISOString(),
    receivedAt: row.received_at.toISOString(),
    bytes: row.bytes,
    repeats: row.repeats,
    conflicts: row.conflicts,
  };
}
