import type { JsonSchema } from "#lib/contracts/api/openapi";

type Words = { meaning: string; example: string | number | boolean | string[] };

const DAY = "2026-01-31T00:00:00Z";

/** Of every parameter of the API: under its name, `tag.name` where one tag means something else, or `operationId.name`. A test fails without an entry. */
const PARAMETERS: Record<string, Words> = {
  limit: { meaning: "How many entries a page has at most.", example: 20 },
  cursor: { meaning: "`nextCursor` of the page before. Leave it out for the first page.", example: "eyJhdCI6MX0" },
  q: { meaning: "Text that the name or ID must contain.", example: "invoice" },
  "events.q": {
    meaning: "Text of the payload, an ID, or terms such as `type:document.*` and `data.status:failed`.",
    example: "data.status:failed",
  },
  "audit.q": { meaning: "Text that the actor or the target must contain.", example: "ada@example.com" },
  "issues.q": { meaning: "Text that the issue's title, type or code must contain.", example: "timeout" },
  "quarantine.q": { meaning: "An ID, an IP address, or text of the detail or body.", example: "203.0.113.7" },
  "views.q": {
    meaning: "Words that all must occur in the record's name or ID. One typing error a word is forgiven.",
    example: "invoice 4711",
  },
  source: { meaning: "The source's name, as in its webhook URL.", example: "platform" },
  type: { meaning: "Event types. Ends with `*` for all types that begin so.", example: ["document.*"] },
  "event-types.type": { meaning: "One event type.", example: "document.processed" },
  "deliveries.type": { meaning: "Event types.", example: ["document.processed"] },
  from: { meaning: "Received at or after this time.", example: DAY },
  to: { meaning: "Received before this time.", example: "2026-02-01T00:00:00Z" },
  "audit.from": { meaning: "Recorded at or after this time.", example: DAY },
  "audit.to": { meaning: "Recorded before this time.", example: "2026-02-01T00:00:00Z" },
  "deliveries.from": { meaning: "Created at or after this time, or this day in UTC.", example: "2026-01-31" },
  "deliveries.to": { meaning: "Created before this time, or this day in UTC.", example: "2026-02-01" },
  "event-types.from": { meaning: "The schema learned from events, or the one that was pinned.", example: "pinned" },
  "feed.from": { meaning: "A cursor to go on after: the `id` of the last frame. `Last-Event-ID` does the same.", example: "1234.567" },
  "listeners.from": {
    meaning: "A cursor to go on after: the `id` of the last frame. Without it only new events come.",
    example: "1234.567",
  },
  since: { meaning: "Events received since this time come first.", example: DAY },
  occurredFrom: { meaning: "Occurred at or after this time, by the sender's clock.", example: DAY },
  occurredTo: { meaning: "Occurred before this time, by the sender's clock.", example: "2026-02-01T00:00:00Z" },
  period: { meaning: "Received within this time until now. `from` and `to` say it exactly.", example: "24h" },
  range: { meaning: "The time that is measured, until now.", example: "7d" },
  asOf: { meaning: "The record as of this time, by the sender's clock: later events don't count.", example: DAY },
  resource: { meaning: "The ID of a record that the event names, with or without its kind.", example: "document:doc_1" },
  ip: { meaning: "The IP address, or network, that the request came from.", example: "203.0.113.0/24" },
  "events.state": { meaning: "States of the event.", example: ["failed"] },
  "issues.state": { meaning: "States of the issue.", example: ["open"] },
  "connections.state": { meaning: "States of the connection.", example: ["needs_reauthorization"] },
  "deliveries.state": { meaning: "States of the delivery.", example: ["exhausted"] },
  "alerts.state": { meaning: "Whether the alert is open or closed.", example: "open" },
  "quarantine.state": { meaning: "What became of the request. Without it: those still quarantined.", example: "released" },
  "missing-events.state": { meaning: "Whether it is open, put off, dismissed, or has come.", example: "snoozed" },
  state: { meaning: "The record's state. The values depend on its kind.", example: "processed" },
  connection: { meaning: "The ID of the connection that the event belongs to.", example: "con_1" },
  issue: { meaning: "IDs of issues.", example: ["iss_1"] },
  duplicates: { meaning: "Only events that were sent more than once.", example: "only" },
  anyFailure: { meaning: "Failed at some time, or reports a failure of the platform's own.", example: true },
  everFailed: { meaning: "Could not be applied at some time, whatever became of it.", example: true },
  repaired: { meaning: "Failed, and was applied since.", example: true },
  reportsFailure: { meaning: "Reports a failure of the platform's own, such as `document.error`.", example: true },
  "events.order": { meaning: "Newest received or newest occurred first; `occurred` within 31 days.", example: "occurred" },
  "getPipelinesByIdBoard.order": { meaning: "Brings the active tasks first that have been in their stage longest.", example: "waiting" },
  order: { meaning: "By the last event, the newest (`desc`) or the oldest (`asc`) first.", example: "asc" },
  sort: { meaning: "Issues with the newest event, the newest issues, or those with most events first.", example: "count" },
  format: { meaning: "The format of the answer.", example: "csv" },
  "event-types.format": { meaning: "The language that the schema is written in.", example: "typescript" },
  failed: { meaning: "Whether the record's newest state is a failure.", example: true },
  active: { meaning: "`false` for completed records, `true` for all others.", example: true },
  parent: { meaning: "The ID of the record that this one belongs to, such as a task's pipeline.", example: "pipe_1" },
  stage: { meaning: "The pipeline's stage that the task is in.", example: "Review" },
  assignee: { meaning: "The person or team that the task is assigned to.", example: "Mara" },
  "issues.assignee": { meaning: "A member's ID, `me` or `none`. With an API key, `me` is the person who made it.", example: "me" },
  origin: { meaning: "Where it failed: while applying, at the platform, while forwarding, or by a changed schema.", example: "platform" },
  action: { meaning: "What was done: an action, or the first part of several.", example: "member" },
  rule: { meaning: "The rule that alerted.", example: "connection" },
  "missing-events.rule": { meaning: "The rule by which an event is missing.", example: "run_without_end" },
  subject: { meaning: "What the rule alerted about: an ID, such as an issue's, or `installation`.", example: "iss_1" },
  grouped: { meaning: "Only the newest alert of each rule and subject; `times` says how many there are.", example: true },
  reason: { meaning: "Why the receiver did not take the request for an event.", example: "signature_mismatch" },
  diagnosis: { meaning: "What was found to be wrong with the request.", example: "secret_retired" },
  about: { meaning: "Tells requests with one diagnosis apart: a secret's ID, another sender, the signed URL.", example: "sec_1" },
  destination: { meaning: "The ID of the destination.", example: "dst_1" },
  event: { meaning: "The ID of the event, ours or the sender's.", example: "evt_1" },
  "event-types.event": { meaning: "The ID of an event: only changes that it made are listed.", example: "evt_1" },
  "deliveries.outcome": { meaning: "How the last attempt ended.", example: ["refused"] },
  "redeliveries.outcome": { meaning: "What became of the event in this re-delivery.", example: "failed" },
  "getEventsValues.id": { meaning: "IDs of the events to read from.", example: ["evt_1", "evt_2"] },
  "events.path": { meaning: "Paths of the fields to read.", example: ["data.status", "data.total"] },
  "event-types.path": { meaning: "The path of a field: only its history is listed.", example: "data.status" },
  version: { meaning: "The number of a pinned version. Without it: the newest.", example: 2 },
  endApiKeys: { meaning: "Also ends the API keys that the member made, and those made with these.", example: "true" },
  name: { meaning: "What the listener is called in the list of listeners.", example: "Ada's laptop" },
  url: { meaning: "Where the listener passes events on to. It is only shown.", example: "http://localhost:4000/webhooks" },
  write: { meaning: "Also offers tools that change something.", example: "allowed" },
  kind: { meaning: "The kind of record.", example: "document" },
  "operations.kind": { meaning: "The kind of operation.", example: "redelivery" },
  "alert-rules.kind": { meaning: "The rule.", example: "processing_lag" },
  "Idempotency-Key": {
    meaning: "A unique value of your choice, 1 to 200 characters. Sent again within 24 hours, it returns the first response.",
    example: "order-4711-release",
  },
};

/** What a path's `id` is the ID of. */
const ID_OF: Record<string, string> = {
  account: "The ID of the session, passkey or device, from the list.",
  members: "The ID of the member, from the list of members.",
  records: "The record's ID: the source, the kind and the sender's ID.",
  views: "The record's ID, as its sender has it.",
  operations: "The ID of the operation, from what started it or the list.",
};

const singular = (tag: string) => tag.replace(/ies$/, "y").replace(/s$/, "").replaceAll("-", " ");

/** Returns what a parameter means and a value of its kind; undefined if nobody wrote it. */
export function parameterWords(operationId: string, tag: string, name: string): Partial<Words> | undefined {
  const own = PARAMETERS[`${operationId}.${name}`];
  if (name === "id" && !own) return { meaning: ID_OF[tag] ?? `The ID of the ${singular(tag)}, from its list.` };
  return own ?? PARAMETERS[`${tag}.${name}`] ?? PARAMETERS[name];
}

/** Returns the schema with an example. It is no `example` of the parameter: those fill a request that makes sense as a whole. */
export const withExample = (schema: JsonSchema, example: Words["example"] | undefined): JsonSchema =>
  example === undefined ? schema : { ...schema, examples: [example] };
