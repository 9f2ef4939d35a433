import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime.js";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime.js";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ConnectionPage } from "#components/connections/connection-page";
import { overlapHint as destinationOverlapHint } from "#components/destinations/destination-actions";
import { DestinationPage } from "#components/destinations/destination-page";
import { DestinationsPage } from "#components/destinations/destinations-page";
import { timingOf } from "#components/events/inspector/timing-tab";
import { issueEventsWords } from "#components/issues/issue-state";
import { OperationProgress } from "#components/records/operation-progress";
import { MappingPreview } from "#components/settings/field-mapping/mapping-preview";
import { SaveMapping } from "#components/settings/field-mapping/save-mapping";
import { RetentionPage } from "#components/settings/retention-page";
import { overlapHint } from "#components/settings/sources/rotate-secret";
import { fieldErrorWords } from "#components/ui/form";
import { PageQueryProvider } from "#components/ui/lists/use-page-query";
import { TimeAgo } from "#components/ui/relative-time";
import { PROBLEM_TOOLS } from "#lib/assistants/tools";
import { connectionQuery } from "#lib/client/queries/connections";
import { destinationQuery, destinationsQuery } from "#lib/client/queries/destinations";
import { retentionQuery } from "#lib/client/queries/maintenance";
import type { ConnectionDetail } from "#lib/contracts/connections";
import { goneBefore } from "#lib/contracts/events/retention-month";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import { findFilterProblem } from "#lib/contracts/forwarding/event-filter";
import type { Operation } from "#lib/contracts/operations";
import type { FieldMappingPreview, PreviewedEvent } from "#lib/contracts/sources/field-mapping";

// Words on screen that were wrong, seen on a running installation.

/** The text of a component, as the server renders it at a URL without a query. */
function textOf(element: ReactElement, queries = new QueryClient()): string {
  const page = createElement(QueryClientProvider, { client: queries }, createElement(PageQueryProvider, null, element));
  const withQuery = createElement(SearchParamsContext, { value: new URLSearchParams() }, page);
  const withRouter = createElement(AppRouterContext, { value: {} as never }, withQuery);
  return renderToStaticMarkup(createElement(PathnameContext, { value: "/" }, withRouter))
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");
}

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const CONNECTION: ConnectionDetail = {
  id: "con_1",
  name: "Acme",
  state: "connected",
  sentence: "Connected.",
  account: "acme",
  accountBefore: null,
  requiredScopes: [],
  grantedScopes: [],
  accessExpiresAt: null,
  expiryKnown: false,
  hasRefreshToken: true,
  problem: null,
  connectedBy: null,
  connectedAt: at(-3600),
  createdAt: at(-3600),
  lastProvenAt: at(-60),
  lastRefreshAt: at(-60),
  nextRefreshAt: at(-4),
  history: [],
  integrations: [],
  lastEvent: null,
  revocation: null,
};

function connectionText(connection: ConnectionDetail): string {
  const queries = new QueryClient();
  queries.setQueryData(connectionQuery(connection.id).queryKey, connection);
  const platform = { missing: [], redirectUri: "http://localhost/callback" };
  return textOf(createElement(ConnectionPage, { id: connection.id, platform, canManage: false, outcome: null }), queries);
}

it("a connection beside a second one is not said to have had no event: which ones were its own is not known", () => {
  const text = connectionText(CONNECTION);
  expect(text).toContain("Last event None known With several accounts");
  expect(text).not.toContain("None yet");
});

const previewed = (given: Partial<PreviewedEvent>): PreviewedEvent => ({
  ...{ eventId: "evt_1", type: "task.assigned", receivedAt: at(-60), changes: [], failureBefore: null, failureAfter: null },
  ...given,
});

const preview = (given: Partial<FieldMappingPreview>): FieldMappingPreview => ({
  ...{ events: [], tried: 0, changed: 0, fixed: 0, broken: 0, failing: null, paths: [], types: [] },
  ...{ requests: [], quarantined: { tried: 0, total: 0 }, readable: 0 },
  ...given,
});

it("events that a saved mapping would apply are not listed as 'No difference' below 'would be applied'", () => {
  const failing = { tried: 1, fixed: 1, total: 1, events: [previewed({})] };
  const text = textOf(createElement(MappingPreview, { preview: preview({ failing }) }));
  expect(text).toContain("1 of 1 failed event would be applied.");
  expect(text).toContain("Would be applied: it failed before the saved mapping");
  expect(text).not.toContain("No difference");
  expect(textOf(createElement(MappingPreview, { preview: preview({ events: [previewed({})], tried: 1 }) }))).toContain("No difference");
});

it("a field mapping's preview says of how many events it tried the newest 500, and saving is offered for all of them", () => {
  const failing = { tried: 500, fixed: 498, total: 2311, events: [previewed({})] };
  const text = textOf(
    createElement(MappingPreview, { preview: preview({ failing, quarantined: { tried: 500, total: 10_001 }, readable: 3, requests: [] }) }),
  );
  expect(text).toContain("498 of the newest 500 of 2,311 failed events would be applied; ");
  expect(text).toContain("3 of the newest 500 of more than 10,000 quarantined requests could be released.");
  const save = {
    source: "acme",
    issues: ["iss_1"],
    same: false,
    saving: false,
    mapping: {},
    canRedeliver: true,
    save: async () => undefined,
  };
  expect(textOf(createElement(SaveMapping, { ...save, failing }))).toContain("Save and re-deliver 2,311 events");
  // More than one re-delivery takes.
  expect(textOf(createElement(SaveMapping, { ...save, failing: { ...failing, total: 10_001 } }))).not.toContain("re-deliver");
});

const DESTINATION: Destination = {
  ...{ id: "dst_1", name: "Shop", url: "https://shop.example/hooks", sources: [], types: [], filter: null, mode: "signed", ordered: false },
  ...{ rate: null, concurrency: 10, headers: [], state: "paused", reason: null, stateAt: at(-60), stateBy: "Ada", nextProbeAt: null },
  ...{ pending: 5, oldestPendingAt: at(-50), exhausted: 0, lastDay: { delivered: 1, failed: 0 }, p95Ms: 8, lastSuccessAt: at(-70) },
  ...{ lastFailure: null, secrets: [], createdBy: null, createdAt: at(-3600) },
};

it.each([
  ["active", "Pending", "Held"],
  ["paused", "Held", "Pending"],
  ["suspended", "Held", "Pending"],
] as const)("what a destination that is %s has not sent is %s in its list, its figures and its filter", (state, word, other) => {
  const queries = new QueryClient();
  const destination = { ...DESTINATION, state };
  queries.setQueryData(destinationQuery("dst_1").queryKey, destination);
  queries.setQueryData(destinationsQuery.queryKey, [destination]);
  const page = textOf(createElement(DestinationPage, { id: "dst_1", canManage: false, types: [], sources: [] }), queries);
  expect(page).toContain(`${word} 5`);
  expect(page).toContain(`State ${word} Delivered`);
  expect(page).not.toContain(other);
  const list = textOf(createElement(DestinationsPage, { canManage: false, types: [], sources: [] }), queries);
  expect(list.includes("5 held")).toBe(word === "Held");
});

it("retention says when an event goes: the policy's days after the end of its month", () => {
  const queries = new QueryClient();
  queries.setQueryData(retentionQuery.queryKey, { days: 90, goneBefore: "2026-09-01T00:00:00.000Z", oldestReceivedAt: null });
  const text = textOf(createElement(RetentionPage, { canManage: false }), queries);
  expect(text).toContain("90 days after the end of their calendar month (UTC)");
  expect(text).toContain("Events received before 1 September 2026 Except those not applied yet");
  const august = Date.parse("2026-08-02T00:00:00Z");
  expect(goneBefore(90, new Date("2026-11-29T23:59:59Z")).getTime()).toBeLessThan(august);
  expect(goneBefore(90, new Date("2026-11-30T00:00:00Z")).getTime()).toBeGreaterThan(august);
});

it("a suspension says how often it happened: its events are not what it holds back", () => {
  const suspended = { origin: "forwarding", code: "destination_suspended", count: 2, failing: 1, repaired: 1 } as const;
  expect(issueEventsWords(suspended)).toBe("Suspended 2 times, suspended now");
  expect(issueEventsWords({ ...suspended, count: 1, failing: 0 })).toBe("Suspended once, not suspended now");
  expect(issueEventsWords({ ...suspended, code: "deliveries_exhausted" })).toBe("2 events, 1 failed now");
});

it("a rotation without an overlap warns before it happens that the old secret stops working", () => {
  for (const [hint, warning] of [
    [overlapHint, /^The old secret stops working at once/],
    [destinationOverlapHint, /^Signing with it stops at once/],
  ] as const) {
    expect(hint("0")).toMatch(warning);
    expect(hint("24")).toMatch(/^Until then/);
  }
});

it("what lies ahead never reads as past: a next try that is due is 'now', and a renewal too", () => {
  const words = (seconds: number, ahead: boolean) => textOf(createElement(TimeAgo, { at: at(seconds), ahead }));
  expect(words(-4, true).trim()).toBe("now");
  expect(words(600, true).trim()).toBe("in 10 min");
  expect(words(-4, false)).toMatch(/\d s ago/);
  expect(connectionText(CONNECTION)).toMatch(/Next renewal now /);
});

it("an error that is a sentence gets no second full stop", () => {
  expect(fieldErrorWords({ path: "sources", message: "Choose the sources: each sender signs in its own way." })).toBe(
    "sources: Choose the sources: each sender signs in its own way.",
  );
  expect(fieldErrorWords({ path: "name", message: "is taken" })).toBe("name: is taken.");
  expect(findFilterProblem({ data: { $near: 1 } })?.message).toMatch(/^\$near is not an operator\. Known: .*[^.]$/);
});

it("one is not many: counts of root causes, issues and what a background operation has done", async () => {
  const access = { consoleUrl: "http://localhost", get: async () => ({ data: [{ id: "one" }] }) } as never;
  const answers = ["list_root_causes", "list_issues"].map((name) => PROBLEM_TOOLS.find((tool) => tool.name === name)?.call(access, {}));
  const words = JSON.stringify(await Promise.all(answers));
  expect(words).toContain("1 root cause, listed");
  expect(words).toContain("1 issue.");
  const operation = { id: "op_1", state: "finished", done: 1, total: 1, startedAt: at(-1), failure: null } as Operation;
  const progress = createElement(OperationProgress, { operation, allowed: false, unit: ["delivery", "deliveries"] as const });
  expect(textOf(progress)).toContain("1 of 1 delivery ");
});

it("the 21st attempt is not the '21th'", () => {
  const applied = (number: number) => ({
    ...{ number, at: at(0), outcome: "applied" as const, redeliveryId: null, failureCode: null, failureText: null },
  });
  const words = (count: number) => {
    const failed = Array.from({ length: count - 1 }, (_, index) => ({ ...applied(index + 1), outcome: "failed" as const }));
    const verification = { form: "raw" as const, secretId: "sec_1", secretCreatedAt: null };
    const event = {
      created: at(-60),
      receivedAt: at(-60),
      appliedAt: at(0),
      state: "processed" as const,
      attempts: [...failed, applied(count)],
      verification,
      source: "platform",
      headers: {},
    };
    return timingOf(event, [], Date.now()).summary;
  };
  expect([3, 4, 11, 12, 21, 22, 23, 112].map((count) => / the (\S+) attempt/.exec(words(count))?.[1])).toEqual([
    ...["third", "4th", "11th", "12th", "21st", "22nd", "23rd", "112th"],
  ]);
});
