import { EVENT_FILTER_NAMES, EVENT_FILTERS, type EventFilterName, type Verdict } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventSummary } from "#lib/contracts/events/events";

/** Returns whether an event of the feed belongs in the list; `unknown` if only the server can tell. */
export function matchesFilter(event: EventSummary, filter: EventFilter): Verdict {
  const verdicts = EVENT_FILTER_NAMES.map((name) => verdictOf(name, filter, event));
  return verdicts.find((verdict) => verdict === "no") ?? verdicts.find((verdict) => verdict === "unknown") ?? "yes";
}

function verdictOf<Name extends EventFilterName>(name: Name, filter: EventFilter, event: EventSummary): Verdict {
  const value = filter[name];
  return value ? EVENT_FILTERS[name].matches(value, event) : "yes";
}
