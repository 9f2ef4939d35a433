import { type EventState, type EventSummary, eventSummary, type ResourceRef } from "#lib/contracts/events/events";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { answered, column, columnsSql, type RowOf } from "#lib/db/columns";
import { waitingSql } from "#lib/db/sql";
import { describeType } from "#lib/platform/event-catalogue";
import { eventSeconds } from "#lib/platform/event-time";
import { titleOfSender } from "#lib/platform/schemes/templates";
import { everFailedSql } from "./search/candidate-queries.ts";

const deadLetterSql = (what: string) => `SELECT ${what} FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq`;

const ROW = {
  receivedAt: column<Date>(),
  seq: column<number>(),
  eventId: column<string>(),
  type: column<string>(),
  created: column<number>(),
  recognised: column<boolean>(),
  source: column<string>("s.name"),
  /** Whether the source's events become the platform's records (contracts/sources/templates.ts). */
  records: column<SourceRecords>("s.records"),
  template: column<SourceTemplateName>("s.template"),
  bytes: column<number>("octet_length(e.body)"),
  repeats: column<number>("coalesce(k.repeats, 0)"),
  conflicts: column<number>("(SELECT count(*)::int FROM event_conflicts c WHERE c.source_id = e.source_id AND c.event_id = e.event_id)"),
  pending: column<boolean>(waitingSql("e")),
  dead: column<boolean>(`EXISTS (${deadLetterSql("1")})`),
  failureText: column<string | null>(`(${deadLetterSql("d.failure_text")})`),
  everFailed: column<boolean>(everFailedSql("e")),
  lastFailure: column<string | null>(`(SELECT a.failure_text FROM attempts a
    WHERE a.received_at = e.received_at AND a.seq = e.seq AND a.outcome = 'failed' ORDER BY a.id DESC LIMIT 1)`),
  resources: column<ResourceRef[] | null>(`(SELECT jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.ref) ORDER BY r.kind, r.ref)
    FROM event_refs r WHERE r.received_at = e.received_at AND r.seq = e.seq)`),
};

export type EventRow = RowOf<typeof ROW>;

/** For queries with `EVENT_JOINS`. */
export const EVENT_COLUMNS = columnsSql(ROW, "e");

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
  return answered(eventSummary, {
    ...row,
    id: row.eventId,
    title: entry?.title ?? titleOfSender(row.template, row.type),
    state,
    reportsFailure: entry?.reportsFailure ?? false,
    reportedMessage: null,
    failedBecause: state === "failed" ? row.failureText : null,
    repaired: row.everFailed && state !== "failed" && state !== "pending",
    lastFailure: row.lastFailure ?? row.failureText,
    resources: row.resources ?? [],
    created: new Date(eventSeconds(row.created, row.receivedAt) * 1000),
  });
}
