import { describe, expect, it } from "vitest";
import { matchesFilter } from "#lib/client/queries/events";
import { isEmptyFilter, readFilter as read, writeFilter as write } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { type EventFilter, eventFilter } from "#lib/contracts/events/events";
import { eventSummary } from "#tests/support/event-summary";

const readFilter = (params: URLSearchParams) => read(EVENT_FILTERS, params);
const writeFilter = (filter: EventFilter, extra?: Record<string, string | null>) => write(EVENT_FILTERS, filter, extra);

const event = eventSummary({ resources: [{ kind: "document", id: "doc_1" }] });

/** Times that JavaScript can tell and PostgreSQL, or a year of four digits, can't. */
const BEYOND = ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-01-01T00:00:00+16:00"];

describe("the filter in the address", () => {
  it("holds IP addresses and networks, as the API takes them, and nothing else", () => {
    const ipOf = (ip: string) => readFilter(new URLSearchParams({ ip })).ip;
    for (const ip of ["192.0.2.1", "0.0.0.0", "10.0.0.0/8", "192.0.2.7/32", "::1", "2001:DB8::7", "2001:db8::/32", "::/0"]) {
      expect(readFilter(writeFilter({ ip }))).toEqual({ ip });
      expect(eventFilter.shape.ip.safeParse(ip).success).toBe(true);
    }
    for (const ip of [
      "1.2.3",
      "1.2.3.4.",
      "256.1.1.1",
      "01.2.3.4",
      "1.2.3.4/33",
      "1.2.3.4/",
      "::1/129",
      "1::2::3",
      "a:b",
      "fe80::1%eth0",
      "x",
    ]) {
      expect(ipOf(ip)).toBeUndefined();
      expect(eventFilter.shape.ip.safeParse(ip).success).toBe(false);
    }
  });

  it("leaves out what it can't read instead of failing", () => {
    expect(readFilter(new URLSearchParams("state=broken&from=yesterday&q=&type=&duplicates=all&period=1y"))).toEqual({});
  });

  it("takes the times that the API takes, and no other", () => {
    const from = (text: string) => readFilter(new URLSearchParams({ from: text })).from;
    for (const time of ["2026-11-21T10:00:00Z", "2026-02-28T10:00:00.123+01:00"]) {
      expect(from(time)).toBe(time);
      expect(eventFilter.shape.from.safeParse(time).success).toBe(true);
    }
    for (const time of [
      "2026-02-30T10:00:00Z",
      "2026-13-01T10:00:00Z",
      "2026-11-21T10:00Z",
      "2026-11-21T10:00:00",
      "2026-11-21",
      "now",
      ...BEYOND,
    ]) {
      expect(from(time)).toBeUndefined();
      expect(eventFilter.shape.from.safeParse(time).success).toBe(false);
    }
  });

  it("holds a flag that is set to false, which a body has as JSON writes it", () => {
    const filter = { reportsFailure: false, everFailed: true };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(eventFilter.parse({ reportsFailure: "false", everFailed: true })).toEqual(filter);
    expect(eventFilter.safeParse({ everFailed: "perhaps" }).success).toBe(false);
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
    ["the beginning of its type", { type: ["document.*"] }, "yes"],
    ["the beginning of another type", { type: ["doc.*", "task.*"] }, "no"],
    ["a reported failure, which it is not", { reportsFailure: true }, "no"],
    ["no reported failure", { reportsFailure: false }, "yes"],
    ["a failure, which may come", { anyFailure: true }, "unknown"],
    ["a time of occurrence that it has", { occurredFrom: "2026-11-21T10:00:00Z", occurredTo: "2026-11-21T10:00:01Z" }, "yes"],
    ["a time of occurrence after it, in another zone", { occurredFrom: "2026-11-21T11:00:01+01:00" }, "no"],
    ["another source", { source: "other" }, "no"],
    ["its resource by id", { resource: "doc_1" }, "yes"],
    ["its resource with the kind", { resource: "document:doc_1" }, "yes"],
    ["its id under another kind", { resource: "task:doc_1" }, "no"],
    ["a period before it, in another zone", { to: "2026-11-21T11:00:01+01:00" }, "no"],
    ["a search, which looks into the payload", { q: "acme" }, "unknown"],
    ["an IP address, which the feed doesn't tell", { ip: "192.0.2.1" }, "unknown"],
    ["a state, which changes", { state: ["failed" as const] }, "unknown"],
    ["a search and another type", { q: "acme", type: ["task.created"] }, "no"],
  ])("%s", (_, filter, verdict) => {
    expect(matchesFilter(event, filter)).toBe(verdict);
  });
});
