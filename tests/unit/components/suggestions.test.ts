import { expect, it, test } from "vitest";
import { timesWords } from "#components/alerts/alerts-page";
import { suggestionsFor } from "#components/events/search/search-help";
import { offered } from "#components/records/type-choices";
import { isSameFilter, parametersOf, savedFilterHref } from "#lib/client/saved-filters";
import { stepOf } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";

const TYPES = ["document.error", "document.uploaded", "task.created"];
const FIELDS = [
  { path: "data.status", values: ["failed", "in review"], inList: false },
  { path: "data.documentId", values: [], inList: false },
];
const texts = (draft: string) => suggestionsFor(draft, { types: TYPES, sources: ["platform"], fields: FIELDS }).map(({ text }) => text);

test("the word being typed is completed: fields, and the values of those whose values are known", () => {
  expect(texts("ty")).toEqual(["type:"]);
  expect(texts("acme type:doc")).toEqual(["acme type:document.error", "acme type:document.uploaded"]);
  expect(texts("state:f")).toEqual(["state:failed"]);
  expect(texts("data.st")).toEqual(["data.status:"]);
  expect(texts("data.status:failed")).toEqual([]);
  expect(texts("data.status:")).toEqual(["data.status:failed", 'data.status:"in review"']);
  expect(texts("acme data.STATUS:F")).toEqual(["acme data.STATUS:failed"]);
  expect(texts("data.documentid")).toEqual(["data.documentId:"]);
  expect(texts("data.documentId:doc")).toEqual([]);
});

test("a saved filter is the same in whatever order it stands in a URL", () => {
  const params = new URLSearchParams("state=failed&type=a&type=b");
  const filter = parametersOf(params);
  expect(filter).toEqual({ state: ["failed"], type: ["a", "b"] });
  expect(isSameFilter(filter, parametersOf(new URLSearchParams("type=b&type=a&state=failed")))).toBe(true);
  expect(isSameFilter(filter, parametersOf(new URLSearchParams("type=b&state=failed")))).toBe(false);
  expect(savedFilterHref({ page: "events", filter })).toBe("/events?state=failed&type=a&type=b");
});

test("typing is one step of the history, any other filter is a step of its own", () => {
  expect(stepOf(EVENT_FILTERS, { q: "a" }, { q: "ab" })).toBe("part");
  expect(stepOf(EVENT_FILTERS, {}, { state: ["failed"] })).toBe("own");
  expect(stepOf(EVENT_FILTERS, { q: "a" }, { q: "ab", state: ["failed"] })).toBe("own");
  expect(stepOf(EVENT_FILTERS, {}, { source: "platform" })).toBe("own");
});

it("offers the beginnings that several types share, each before its types", () => {
  expect(offered(["task.created", "document.error", "document.processed", "orders/create", "orders/paid", "push", "stripe:a"])).toEqual([
    "document.*",
    "document.error",
    "document.processed",
    "orders/*",
    "orders/create",
    "orders/paid",
    "push",
    "stripe:a",
    "task.created",
  ]);
});

it("says how often an alert came, within which time, and whether it stands", () => {
  const times = { times: 16, firstOpenedAt: "2026-11-29T08:00:00.000Z", openedAt: "2026-11-29T08:02:10.000Z" };
  expect(timesWords({ ...times, state: "open" })).toBe("16 times in 2 min, still open");
  expect(timesWords({ ...times, times: 1001, state: "closed" })).toBe("1,000+ times in 2 min, now recovered");
});
