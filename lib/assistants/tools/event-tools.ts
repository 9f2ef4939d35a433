import { z } from "zod";
import { answerWith } from "#lib/assistants/untrusted";
import { formatNumber } from "#lib/contracts/counts/format-count";
import { backToWords, inPartWords } from "#lib/contracts/counts/search-notes";
import type { EventDetail, EventPage } from "#lib/contracts/events/events";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { argumentsOf, defineTool, eventFilterInput, idInput, limitInput, type Tool } from "./tool.ts";

const eventUrl = (consoleUrl: string, id: string) => `${consoleUrl}/events/${encodeURIComponent(id)}`;

const findEvents = defineTool({
  name: "find_events",
  title: "Find events",
  description: "Stored webhook events that match the filters, newest first.",
  input: argumentsOf({ ...eventFilterInput, limit: limitInput }),
  writes: false,
  call: async (api, filter) => {
    const { data, nextCursor, searchedInPart, searchedBackTo } = (await api.get("/api/v1/events", filter)) as EventPage;
    const inPart = searchedInPart ? inPartWords(searchedInPart) : null;
    const backTo = searchedBackTo ? backToWords(searchedBackTo, searchedBackTo.at) : null;
    const notes = [backTo, inPart].flatMap((note) => (note === null ? [] : ` ${note}`)).join("");
    const events = data.map(({ id, type, state, source, receivedAt, resources, reportsFailure }) => {
      const url = eventUrl(api.consoleUrl, id);
      return { id, type, state, source, receivedAt, resources, reportsFailure, url };
    });
    return answerWith(`${events.length} ${nextCursor ? "newest of the matching" : "matching"} events.${notes}`, events);
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
    return answerWith(`${formatNumber(answer.total)} events were tried. Nothing was changed.`, {
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
    return answerWith(`${formatNumber(total)} events are being re-delivered.`, {
      id,
      total,
      state: progress?.state ?? null,
      url: `${api.consoleUrl}/events`,
    });
  },
});

export const EVENT_TOOLS: Tool[] = [findEvents, explainEvent, dryRunRedelivery, redeliverEvents];
