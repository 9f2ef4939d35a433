import { describe, expect, it } from "vitest";
import { isEmptyFilter, matchesFilter, readFilter, writeFilter } from "#lib/client/event-filter";
import { eventFilter } from "#lib/contracts/events";
import { eventSummary } from "#tests/support/event-summary";

const event = eventSummary({ resources: [{ kind: "document", id: "doc_1" }] });

describe("the filter in the address", () => {
  it("comes back as it was written", () => {
    const filter = { type: ["a.b", "c.d"], status: ["failed" as const], source: "platform", resource: "document:doc_1", q: "100% & more" };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
  });

  it("holds connection, duplicates and a period that moves with the time", () => {
    const filter = { connection: "con_1", duplicates: "only" as const, period: "24h" as const };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(readFilter(new URLSearchParams("duplicates=all&period=1y"))).toEqual({});
  });

  it("leaves out what it can't read instead of failing", () => {
    expect(readFilter(new URLSearchParams("status=broken&from=yesterday&q=&type="))).toEqual({});
  });

  it("takes the times that the API takes, and no other", () => {
    const from = (text: string) => readFilter(new URLSearchParams({ from: text })).from;
    for (const time of ["2026-11-21T10:00:00Z", "2026-02-28T10:00:00.123+01:00"]) {
      expect(from(time)).toBe(time);
      expect(eventFilter.shape.from.safeParse(time).success).toBe(true);
    }
    for (const time of ["2026-02-30T10:00:00Z", "2026-13-01T10:00:00Z", "2026-11-21T10:00Z", "2026-11-21T10:00:00", "2026-11-21", "now"]) {
      expect(from(time)).toBeUndefined();
      expect(eventFilter.shape.from.safeParse(time).success).toBe(false);
    }
  });

  it("keeps the open event apart from the filter", () => {
    const params = writeFilter({}, { event: "evt_1", cursor: null });
    expect(params.toString()).toBe("event=evt_1");
    expect(isEmptyFilter(readFilter(params))).toBe(true);
  });
});

describe("an event of the feed against the filter", () => {
  it.each([
    ["no filter", {}, "yes"],
    ["its type", { type: ["document.processed"] }, "yes"],
    ["another type", { type: ["task.created"] }, "no"],
    ["another source", { source: "other" }, "no"],
    ["its resource by id", { resource: "doc_1" }, "yes"],
    ["its resource with the kind", { resource: "document:doc_1" }, "yes"],
    ["its id under another kind", { resource: "task:doc_1" }, "no"],
    ["a period before it, in another zone", { to: "2026-11-21T11:00:01+01:00" }, "no"],
    ["a search, which looks into the payload", { q: "acme" }, "unknown"],
    ["a status, which changes", { status: ["failed" as const] }, "unknown"],
    ["a search and another type", { q: "acme", type: ["task.created"] }, "no"],
  ])("%s", (_, filter, verdict) => {
    expect(matchesFilter(event, filter)).toBe(verdict);
  });
});
