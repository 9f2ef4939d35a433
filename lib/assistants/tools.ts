import { z } from "zod";
import type { EventTypeDetail, EventTypeItem, SchemaChange } from "#lib/contracts/event-types";
import type { EventDetail, EventPage } from "#lib/contracts/events/events";
import { backToWords, inPartWords } from "#lib/contracts/events/search-notes";
import { countWords } from "#lib/contracts/format-count";
import { type Issue, issueAction, issueState, type RootCause } from "#lib/contracts/issues";
import type { MissingEvent } from "#lib/contracts/missing-events";
import type { QuarantineDetail, QuarantineItem } from "#lib/contracts/quarantine";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { presenceWords } from "#lib/contracts/schemas/learnt-fields";
import type { ViewDetail } from "#lib/contracts/views";
import {
  type ApiAccess,
  answerWith,
  argumentsOf,
  defineTool,
  eventFilterInput,
  idInput,
  limitInput,
  rowsOf,
  type Tool,
} from "./define-tool.ts";

const eventUrl = (consoleUrl: string, id: string) => `${consoleUrl}/events/${encodeURIComponent(id)}`;

const findEvents = defineTool({
  name: "find_events",
  title: "Find events",
  description: "Stored webhook events that match the filters, newest first.",
  input: argumentsOf({ ...eventFilterInput, limit: limitInput }),
  writes: false,
  call: async (api, filter) => {
    const { data, nextCursor, searchedInPart, searchedBackTo, unknown = [] } = (await api.get("/api/v1/events", filter)) as EventPage;
    const inPart = searchedInPart ? inPartWords(searchedInPart) : null;
    const backTo = searchedBackTo ? backToWords(searchedBackTo, searchedBackTo.at) : null;
    const notes = [...unknown.map(({ message }) => message), backTo, inPart].flatMap((note) => (note === null ? [] : ` ${note}`)).join("");
    const events = data.map(
      ({ id, type, state, source, created, receivedAt, resources, reportsFailure, reportedMessage, repaired, lastFailure }) => {
        const url = eventUrl(api.consoleUrl, id);
        return { id, type, state, source, created, receivedAt, resources, reportsFailure, reportedMessage, repaired, lastFailure, url };
      },
    );
    return answerWith(
      `${nextCursor ? `The newest ${events.length} of the matching events` : countWords(events.length, "matching event")}.${notes}`,
      events,
    );
  },
});

const explainEvent = defineTool({
  name: "explain_event",
  title: "Explain an event",
  description: "One event: its payload, its state, why it failed and how to fix it, and which record fields it set.",
  input: argumentsOf({ id: idInput("the event") }),
  writes: false,
  call: async (api, { id }) => {
    const event = (await api.get(`/api/v1/events/${encodeURIComponent(id)}`)) as EventDetail;
    const { type, title, state, source, created, receivedAt, repeats, conflicts, failure, issueId, createdNote, shapeNotes } = event;
    const effects = event.effects
      .slice(0, 30)
      .map(({ kind, resourceId, field, value, verdict }) => ({ kind, resourceId, field, value, verdict }));
    const attempts = event.attempts.slice(-10).map(({ number, at, outcome, failureText }) => ({ number, at, outcome, failureText }));
    const local = event.localDeliveries.slice(0, 5).map(({ url, at, status, error }) => ({ url, at, status, error }));
    const about = { type, title, state, source, created, receivedAt, repeats, conflicts, failure, issueId, createdNote, shapeNotes };
    const payload = event.envelope ?? event.raw;
    return answerWith("One event.", {
      id,
      ...about,
      effects,
      attempts,
      localDeliveries: local,
      payload,
      url: eventUrl(api.consoleUrl, id),
    });
  },
});

const dryRunRedelivery = defineTool({
  name: "dry_run_redelivery",
  title: "Dry-run a re-delivery",
  description: "Shows what re-delivering events would change, without changing anything. Requires a role that can re-deliver.",
  input: argumentsOf({
    eventIds: z.array(z.string().min(1).max(400)).min(1).max(1000).optional(),
    filter: argumentsOf(eventFilterInput).optional(),
  }),
  writes: false,
  call: async (api, set) => {
    const answer = (await api.post("/api/v1/redeliveries", { ...set, dryRun: true })) as {
      id: string | null;
      total: number;
      outcome?: object;
    };
    return answerWith(`${countWords(answer.total, "event was", "events were")} tried. Nothing was changed.`, {
      total: answer.total,
      outcome: answer.outcome ?? null,
    });
  },
});

const redeliverEvents = defineTool({
  name: "redeliver_events",
  title: "Re-deliver events",
  description:
    "Applies stored events again, with the current version of Signalbox. Events already applied are skipped safely. Try dry_run_redelivery first.",
  input: argumentsOf({ eventIds: z.array(z.string().min(1).max(400)).min(1).max(1000) }),
  writes: true,
  call: async (api, { eventIds }) => {
    const { id, total } = (await api.post("/api/v1/redeliveries", { eventIds })) as { id: string | null; total: number };
    const progress = id ? ((await api.get(`/api/v1/redeliveries/${id}`)) as RedeliveryProgress) : null;
    return answerWith(`${countWords(total, "event is", "events are")} being re-delivered.`, {
      id,
      total,
      state: progress?.state ?? null,
      url: `${api.consoleUrl}/events`,
    });
  },
});

/** Fields in one answer, which has to fit into what an answer may hold; `path` asks for others. */
const MAX_FIELDS = 120;

const describeEventType = defineTool({
  name: "describe_event_type",
  title: "Describe an event type",
  description:
    "The fields that events of a type really have, learnt from those received: how often each is present, its types, formats and values, " +
    "and what changed lately. Without a type, lists the types of each source.",
  input: argumentsOf({
    type: z.string().min(1).max(200).optional().describe("For example document.processed"),
    source: z.string().max(100).optional(),
    variant: z.string().max(100).optional().describe("One of the variants that the list names, for example invoice"),
    path: z.string().max(2000).optional().describe("Only this field and those below it, for example data.items[]"),
  }),
  writes: false,
  call: async (api, { type, source, variant, path }) => {
    const { data } = rowsOf<EventTypeItem>(await api.get("/api/v1/event-types", { type, source }));
    const learnt = data.filter((each) => each.id !== null && (variant === undefined || each.variant === variant));
    if (type === undefined) {
      const rows = learnt.map(({ type: each, source: from, variant: of, state, events, fields, drift }) => {
        return { type: each, source: from, variant: of, state, events, fields, drift };
      });
      return answerWith(`${countWords(rows.length, "event type")}.`, rows);
    }
    if (learnt.length === 0) throw new Error(`No event of that ${variant === undefined ? "type" : "variant"} was received. ${LIST_TYPES}`);
    const [told, leftOut] = [learnt.slice(0, MAX_DESCRIBED), learnt.slice(MAX_DESCRIBED)];
    const described = await Promise.all(told.map(({ id }) => describeType(api, id ?? "", path, MAX_FIELDS / told.length)));
    if (described.every(({ fields }) => fields.length === 0) && path !== undefined)
      throw new Error(`No event of that type has the field ${path}. Call describe_event_type without a path to list those that it has.`);
    const sources = new Set(learnt.map((each) => each.source)).size;
    return answerWith(
      `${countWords(sources, "source sends", "sources send")} this type.${leftOut.length > 0 ? " Ask for those left out with source and variant." : ""}`,
      [...described, ...leftOut.map((each) => ({ leftOut: { source: each.source, variant: each.variant } }))],
    );
  },
});

const LIST_TYPES = "Call describe_event_type without a type to list those that were.";
const MAX_DESCRIBED = 3;

/** Newest changes of a type that are told. */
const MAX_CHANGES = 10;

async function describeType(api: ApiAccess, typeId: string, path = "data", maxFields = MAX_FIELDS) {
  const url = `/api/v1/event-types/${encodeURIComponent(typeId)}`;
  const [detail, history] = await Promise.all([
    api.get(url) as Promise<EventTypeDetail>,
    api.get(`${url}/history`, { limit: String(MAX_CHANGES) }),
  ]);
  const { type, source, variant, state, events, firstEventAt, lastEventAt, tree } = detail;
  const fields = tree.filter(
    (field) => field.parent !== null && (`${field.path}.`.startsWith(`${path}.`) || field.path.startsWith(`${path}[`)),
  );
  const drifts = detail.drifts.filter((drift) => drift.state === "open");
  return {
    ...{ type, source, variant, state, events, firstEventAt, lastEventAt },
    drift: drifts.map(({ kind, severity, path: at, expected, observed, firstEvent }) => {
      return { kind, severity, path: at, expected, observed, firstEvent };
    }),
    changes: rowsOf<SchemaChange>(history).data.map(({ at, kind, path: of, detail: what, event }) => {
      return { at, kind, path: of, detail: what, event: event?.id ?? null };
    }),
    url: `${api.consoleUrl}/event-types/${encodeURIComponent(typeId)}`,
    fields: fields.slice(0, maxFields).map((field) => ({
      path: field.path,
      present: presenceWords(field),
      types: field.types.map(({ type: each }) => each).join(" | "),
      ...(field.formats.length > 0 && { formats: field.formats.map(({ format }) => format) }),
      ...(field.values && { values: field.values.map(({ value }) => value) }),
      firstEvent: field.first.id,
    })),
    ...(fields.length > maxFields && { fieldsLeftOut: fields.length - Math.floor(maxFields) }),
  };
}

export const EVENT_TOOLS: Tool[] = [findEvents, explainEvent, describeEventType, dryRunRedelivery, redeliverEvents];

const explainRejection = defineTool({
  name: "explain_rejection",
  title: "Explain a rejected request",
  description:
    "Why a webhook request was quarantined (for example an invalid signature or payload), and the fix. Without an ID, lists the newest.",
  input: argumentsOf({ id: idInput("the quarantined request").optional(), limit: limitInput }),
  writes: false,
  call: async (api, { id, limit }) => {
    const url = (of: string) => `${api.consoleUrl}/quarantine/${encodeURIComponent(of)}`;
    if (id === undefined) {
      const { data } = rowsOf<QuarantineItem>(await api.get("/api/v1/quarantine", { limit }));
      const rows = data.map(({ id: one, source, receivedAt, reason, verdict, fix, releasedAt }) => {
        return { id: one, source, receivedAt, reason, verdict, fix, releasedAt, url: url(one) };
      });
      return answerWith(`${countWords(rows.length, "quarantined request")}, newest first.`, rows);
    }
    const request = (await api.get(`/api/v1/quarantine/${encodeURIComponent(id)}`)) as QuarantineDetail;
    const { source, receivedAt, reason, verdict, fix, diagnosis, verified, ip, releasedAt, detail, raw } = request;
    const about = { source, receivedAt, reason, verdict, fix, diagnosis, verified, ip, releasedAt, detail, body: raw };
    return answerWith("One quarantined request.", { id, ...about, url: url(id) });
  },
});

const KINDS = ["documents", "tasks", "pipelines", "automations", "integrations"] as const;

const stateAsOf = defineTool({
  name: "state_as_of",
  title: "State of a record",
  description: "A document, task, pipeline, automation or integration, now or as of a time, with the event that set each field.",
  input: argumentsOf({
    kind: z.enum(KINDS),
    id: idInput("the record"),
    asOf: z.string().max(40).optional().describe("A time or a day, ISO 8601. Default: now"),
  }),
  writes: false,
  call: async (api, { kind, id, asOf }) => {
    const record = (await api.get(`/api/v1/${kind}/${encodeURIComponent(id)}`, { asOf })) as ViewDetail;
    return answerWith(`One record, ${asOf === undefined ? "as it is now" : "as of that time"}.`, {
      ...record,
      url: `${api.consoleUrl}/${kind}/${encodeURIComponent(id)}`,
    });
  },
});

const missingEvents = defineTool({
  name: "missing_events",
  title: "Missing events",
  description: "Expected events that have not been received.",
  input: argumentsOf({ state: z.enum(["open", "snoozed", "dismissed", "closed"]).default("open"), limit: limitInput }),
  writes: false,
  call: async (api, query) => {
    const { data } = rowsOf<MissingEvent>(await api.get("/api/v1/missing-events", query));
    const rows = data.map(({ id, rule, resource, what, why, fix, evidence, since }) => ({
      id,
      rule,
      resource,
      what,
      why,
      fix,
      evidence,
      since,
    }));
    return answerWith(`${countWords(rows.length, "missing event")}, listed at ${api.consoleUrl}/missing-events`, rows);
  },
});

const listIssues = defineTool({
  name: "list_issues",
  title: "List issues",
  description: "Failures grouped by cause, with the likely reason and the fix; the one that failed last comes first.",
  input: argumentsOf({ state: z.array(z.enum(issueState.options)).optional(), limit: limitInput }),
  writes: false,
  call: async (api, query) => {
    const { data } = rowsOf<Issue>(await api.get("/api/v1/issues", query));
    const rows = data.map(({ id, origin, type, title, place, state, failure, firstSeenAt, lastSeenAt, count, failing, sampleEventId }) => {
      const url = `${api.consoleUrl}/issues/${encodeURIComponent(id)}`;
      return { id, origin, type, title, place, state, failure, firstSeenAt, lastSeenAt, count, failing, sampleEventId, url };
    });
    return answerWith(`${countWords(rows.length, "issue")}.`, rows);
  },
});

const listRootCauses = defineTool({
  name: "list_root_causes",
  title: "List root causes",
  description:
    "What several open issues have in common: the error code, the source, the start time and the fields missing from their events.",
  input: argumentsOf({}),
  writes: false,
  call: async (api) => {
    const { data } = rowsOf<RootCause>(await api.get("/api/v1/issues/causes"));
    return answerWith(`${countWords(data.length, "root cause")}, listed above the issues at ${api.consoleUrl}/issues`, data);
  },
});

const changeIssue = defineTool({
  name: "change_issue",
  title: "Change an issue's state",
  description: "Acknowledges, resolves, ignores or reopens an issue.",
  input: argumentsOf({ id: idInput("the issue"), action: z.enum(issueAction.options) }),
  writes: true,
  call: async (api, { id, action }) => {
    const issue = (await api.post(`/api/v1/issues/${encodeURIComponent(id)}/state`, { action })) as Issue;
    return answerWith("The issue's state was changed.", { id, state: issue.state });
  },
});

const releaseRequest = defineTool({
  name: "release_quarantined_request",
  title: "Release a quarantined request",
  description: "Verifies a quarantined request again and releases it into the log if it passes.",
  input: argumentsOf({ id: idInput("the quarantined request") }),
  writes: true,
  call: async (api, { id }) => {
    const { eventId } = (await api.post(`/api/v1/quarantine/${encodeURIComponent(id)}/release`, {})) as { eventId: string | null };
    return answerWith("The request was released.", { id, eventId });
  },
});

export const PROBLEM_TOOLS: Tool[] = [explainRejection, stateAsOf, missingEvents, listIssues, listRootCauses, changeIssue, releaseRequest];
