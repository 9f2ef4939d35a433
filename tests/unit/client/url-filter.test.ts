import { describe, expect, it, test } from "vitest";
import { filterHref, isEmptyFilter, readFilter, writeFilter } from "#lib/client/url-filter";
import type { Filters } from "#lib/contracts/api/filters";
import { auditExportQuery, auditQuery } from "#lib/contracts/auth/audit";
import { AUDIT_FILTERS } from "#lib/contracts/auth/audit-filters";
import { CONNECTION_FILTERS, matchesConnectionFilter, worstFirst } from "#lib/contracts/connection-filters";
import { connectionQuery } from "#lib/contracts/connections";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { eventFilter } from "#lib/contracts/events/events";
import { ISSUE_FILTERS } from "#lib/contracts/issue-filters";
import { issueQuery } from "#lib/contracts/issues";
import { VIEW_FILTERS } from "#lib/contracts/list-filters";
import { MISSING_EVENT_FILTERS } from "#lib/contracts/missing-event-filters";
import { missingEventQuery } from "#lib/contracts/missing-events";
import { quarantineQuery, releasesBody } from "#lib/contracts/quarantine";
import { QUARANTINE_CAUSE_FILTERS, QUARANTINE_FILTERS } from "#lib/contracts/quarantine-filters";
import { viewQuery } from "#lib/contracts/views";

const params = (text: string) => new URLSearchParams(text);

/** A value that each kind of filter takes. */
function sampleOf({ value }: Filters[string]): string {
  switch (value.kind) {
    case "choice":
    case "choices":
      return value.values[0];
    case "flag":
      return "true";
    case "moment":
      return "2026-11-21T10:00:00Z";
    default:
      return value.kind === "text" && value.check ? "192.0.2.1" : "some text";
  }
}

describe("the filters of every list", () => {
  it.each([
    ["events", EVENT_FILTERS, eventFilter],
    ["issues", ISSUE_FILTERS, issueQuery],
    ["the audit log", AUDIT_FILTERS, auditQuery],
    ["the audit log's export", AUDIT_FILTERS, auditExportQuery],
    ["records", VIEW_FILTERS, viewQuery],
    ["quarantined requests", QUARANTINE_FILTERS, quarantineQuery],
    ["quarantined requests to release", QUARANTINE_CAUSE_FILTERS, releasesBody.shape.filter],
    ["missing events", MISSING_EVENT_FILTERS, missingEventQuery],
    ["connections", CONNECTION_FILTERS, connectionQuery],
  ])("of %s mean the same in the page's URL, in the API and back", (_, filters: Filters, query) => {
    const sample = params("");
    for (const [name, filter] of Object.entries(filters)) sample.set(name, sampleOf(filter));
    const filter = readFilter(filters, sample);
    expect(Object.keys(filter)).toEqual(Object.keys(filters));
    expect(query.parse(Object.fromEntries(writeFilter(filters, filter)))).toMatchObject(filter);
    expect(readFilter(filters, new URL(filterHref("http://page.test/", filters, filter)).searchParams)).toEqual(filter);
  });
});

describe("a filter in a page's URL", () => {
  it("takes the first of repeated texts, and no empty one", () => {
    expect(readFilter(VIEW_FILTERS, params("state=a&state=b&q=++&parent=+pipe_1+"))).toEqual({ state: "a", parent: "pipe_1" });
  });

  it("takes true and false for a flag, and nothing else", () => {
    expect(readFilter(VIEW_FILTERS, params("failed=yes&active=false&stage=Review&assignee=Mara"))).toEqual({
      active: false,
      stage: "Review",
      assignee: "Mara",
    });
    expect(isEmptyFilter({ active: false })).toBe(false);
  });

  it("leaves out what the database can't hold", () => {
    expect(readFilter(VIEW_FILTERS, params("q=a%00&assignee=%00"))).toEqual({});
    expect(readFilter(EVENT_FILTERS, params("resource=document:%00&type=a%00"))).toEqual({});
  });

  it("that is absent means its fallback, which all lifts", () => {
    expect(readFilter(ISSUE_FILTERS, params(""))).toEqual({ state: ["open"] });
    expect(readFilter(ISSUE_FILTERS, params("state=all&origin=platform"))).toEqual({ origin: "platform" });
    expect(readFilter(ISSUE_FILTERS, params("state=broken"))).toEqual({ state: ["open"] });
    expect(filterHref("/issues", ISSUE_FILTERS, { state: ["open"] })).toBe("/issues");
    expect(filterHref("/issues", ISSUE_FILTERS, {})).toBe("/issues?state=all");
    expect(filterHref("/issues", ISSUE_FILTERS, { state: ["ignored", "resolved"] })).toBe("/issues?state=ignored&state=resolved");
  });
});

it("a connection matches a filter that names its state, and an empty one", () => {
  expect(matchesConnectionFilter({ state: "retrying" }, {})).toBe(true);
  expect(matchesConnectionFilter({ state: "retrying" }, { state: ["retrying", "expiring"] })).toBe(true);
  expect(matchesConnectionFilter({ state: "retrying" }, { state: ["connected"] })).toBe(false);
});

test("a connection that somebody has to look at stands before those that work, and those before what is not connected", () => {
  const states = ["disconnected", "connected", "pending", "needs_reauthorization", "retrying", "connected"] as const;
  const listed = states.map((state, place) => ({ state, place }));
  expect(worstFirst(listed).map(({ state, place }) => `${place} ${state}`)).toEqual([
    "3 needs_reauthorization",
    "4 retrying",
    "1 connected",
    "5 connected",
    "2 pending",
    "0 disconnected",
  ]);
});
