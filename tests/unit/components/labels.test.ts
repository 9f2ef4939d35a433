import { describe, expect, it, test } from "vitest";
import { expiryWords } from "#components/connections/connection-state";
import { issueEventsWords, stateWords } from "#components/issues/issue-state";
import { openCountOf } from "#components/issues/issues-page";
import { ignoredOf, strangeOf } from "#components/records/filters/ignored-filters";
import { spanWords, timeWords } from "#components/records/filters/period";
import { shortId } from "#components/records/resource-id";
import { failureWords } from "#components/records/volume-bars";
import { isCurrent } from "#components/shell/navigation/navigation";
import { clockWords, dayStart, durationWords, exactWords, relativeWords } from "#components/ui/time-format";
import { readFilter } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { VIEW_FILTERS } from "#lib/contracts/list-filters";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;

test("durations are whole numbers of the unit that fits", () => {
  expect([0, 320, 4200, 12 * MINUTE, 3 * 60 * MINUTE, 50 * 60 * MINUTE].map(durationWords)).toEqual([
    "0 ms",
    "320 ms",
    "4 s",
    "12 min",
    "3 h",
    "2 d",
  ]);
});

test("a time is told against now in both directions, and by its date when it is far", () => {
  expect(relativeWords(NOW - 500, NOW)).toBe("just now");
  expect(relativeWords(NOW - 5 * MINUTE, NOW)).toBe("5 min ago");
  expect(relativeWords(NOW + 5 * MINUTE, NOW)).toBe("in 5 min");
  expect(relativeWords(NOW + 7 * 24 * 60 * MINUTE - 4000, NOW)).toBe("in 7 d");
  expect(relativeWords(Date.parse("2026-01-02T00:00:00Z"), NOW)).toBe("2026-01-02");
});

test("an id is shortened in the middle and keeps its prefix and its end", () => {
  expect(shortId("evt_1")).toBe("evt_1");
  expect(shortId("evt_4kq2abcdefghij9xz1")).toBe("evt_4kq2…9xz1");
});

test("the overview is current on its own page alone, a list also on the pages below it", () => {
  expect(isCurrent("/", "/")).toBe(true);
  expect(isCurrent("/", "/events")).toBe(false);
  expect(isCurrent("/events", "/events/evt_1")).toBe(true);
  expect(isCurrent("/events", "/eventsology")).toBe(false);
});

test("the end of a plot is as exact as its bars, with its zone, and with its year where that is another one", () => {
  const at = Date.UTC(new Date().getUTCFullYear(), 10, 21, 9, 11, 52, 176);
  expect(clockWords(Date.UTC(2020, 10, 21, 9, 11), false, "UTC")).toBe("21 Nov 2020, 09:11 UTC");
  expect(clockWords(at, false, "UTC")).toBe("21 Nov, 09:11 UTC");
  expect(clockWords(at, true, "UTC")).toBe("21 Nov, 09:11:52 UTC");
});

test("the expiry countdown shows only what is known", () => {
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();
  const base = { state: "connected" as const, accessExpiresAt: at(12), expiryKnown: true, hasRefreshToken: true, nextRefreshAt: at(9) };
  expect(expiryWords(base, NOW)).toBe("Expires in 12 min · renews in 9 min");
  expect(expiryWords({ ...base, nextRefreshAt: at(-1) }, NOW)).toBe("Expires in 12 min · renewing now");
  expect(expiryWords({ ...base, accessExpiresAt: at(-1) }, NOW)).toBe("Expired");
  expect(expiryWords({ ...base, expiryKnown: false }, NOW)).toContain("Not provided by the platform");
  expect(expiryWords({ ...base, state: "disconnected" }, NOW)).toBe("–");
  // Nothing renews it; and a time that the platform no longer honours is none.
  expect(expiryWords({ ...base, hasRefreshToken: false }, NOW)).toBe("Expires in 12 min");
  expect(expiryWords({ ...base, state: "needs_reauthorization" }, NOW)).toBe("No longer valid");
});

test("an issue says what changed its state, and how many events there are", () => {
  expect(stateWords({ state: "resolved", stateBy: null, stateCause: "expired" })).toBe("Resolved automatically: its events were deleted");
  expect(stateWords({ state: "resolved", stateBy: null, stateCause: "settled" })).toBe("Resolved automatically: its events succeeded");
  expect(stateWords({ state: "open", stateBy: null, stateCause: "recurred" })).toBe("Reopened: it recurred");
  expect(stateWords({ state: "open", stateBy: null, stateCause: null })).toBe("Open");
  expect(stateWords({ state: "resolved", stateBy: "Ada", stateCause: null })).toBe("Resolved by Ada");
  expect(issueEventsWords({ origin: "processing", code: "missing_id", count: 0, failing: 0, repaired: 0 })).toBe(
    "Its events have been deleted",
  );
  const failed = { origin: "processing", code: "missing_id", count: 500, failing: 0, repaired: 500 } as const;
  expect(issueEventsWords(failed)).toBe("500 failed, 500 repaired");
  expect(issueEventsWords({ ...failed, failing: 300, repaired: 200 })).toBe("500 failed, 200 repaired");
  expect(issueEventsWords({ ...failed, origin: "platform", count: 3, failing: 1 })).toBe("3 events, 1 failed now");
});

describe("a time range", () => {
  it.each([
    [{ from: "2026-11-21T00:00:00Z", to: "2026-11-22T00:00:00Z" }, "2026-11-21 UTC"],
    [{ from: "2026-11-21T00:00:00Z", to: "2026-11-23T00:00:00Z" }, "2026-11-21 00:00 to 2026-11-23 00:00 UTC"],
    [{ from: "2026-11-21T14:03:00+01:00", to: "2026-11-21T14:03:07Z" }, "2026-11-21 13:03 to 2026-11-21 14:03:07 UTC"],
    [{ from: "2026-11-21T14:03:00Z" }, "from 2026-11-21 14:03 UTC"],
    [{ to: "2026-11-21T14:03:00Z" }, "before 2026-11-21 14:03 UTC"],
    [{}, null],
  ])("is written in ISO form with its zone: %o", (span, words) => {
    expect(spanWords(span, "UTC")).toBe(words);
  });

  it("says which time holds: that of receipt, or else of occurrence", () => {
    const occurred = { occurredFrom: "2026-11-21T00:00:00Z", occurredTo: "2026-11-22T00:00:00Z" };
    expect(timeWords({}, "UTC")).toBeNull();
    expect(timeWords(occurred, "UTC")?.text).toBe("Occurred 2026-11-21 UTC");
    expect(timeWords({ ...occurred, period: "1h" }, "UTC")).toMatchObject({ text: "Last hour", without: { period: undefined } });
  });

  it("of a day is from midnight to midnight in the reader's zone, whatever its hours", () => {
    for (const choice of ["utc", "local"] as const) {
      const day = { from: dayStart(1, choice), to: dayStart(0, choice) };
      expect(day.from).toMatch(choice === "utc" ? /T00:00:00Z$/ : /:00Z$/);
      expect(spanWords(day, choice === "utc" ? "UTC" : undefined)).toMatch(/^\d{4}-\d\d-\d\d UTC/);
    }
  });
});

it("an exact time has milliseconds only where it has any", () => {
  expect(exactWords(Date.parse("2026-11-21T14:03:07.000Z"), "UTC")).toBe("21 Nov 2026, 14:03:07 UTC");
  expect(exactWords(Date.parse("2026-11-21T14:03:07.120Z"), "UTC")).toBe("21 Nov 2026, 14:03:07.120 UTC");
});

it("a count of failures says how many were repaired or are the platform's, and nothing where none failed", () => {
  const bars = (everFailed: number, repaired: number, reported = 0) => [
    { everFailed, repaired, reported },
    { everFailed: 0, repaired: 0, reported: 0 },
  ];
  expect(failureWords(bars(500, 500))).toBe(", 500 failed, 500 repaired");
  expect(failureWords(bars(3, 0))).toBe(", 3 failed");
  expect(failureWords(bars(12_000, 10_000))).toBe(", 12,000+ failed, 10,000+ repaired");
  expect(failureWords(bars(0, 0))).toBe("");
  expect(failureWords(bars(0, 0, 3))).toBe(", 3 report failures");
  expect(failureWords(bars(2, 1, 3))).toBe(", 2 failed, 1 repaired, 3 report failures");
});

describe("what a URL asks for and a list ignores", () => {
  const ignored = (search: string) => {
    const query = new URLSearchParams(search);
    return ignoredOf("events", EVENT_FILTERS, readFilter(EVENT_FILTERS, query), query);
  };

  it.each([
    ["stat=failed", "no filter of events is named “stat”; did you mean “state”?"],
    ["state=failed&state=faild", "“faild” is no value of state; did you mean “failed”?"],
    ["reportsFailure=ture", "“ture” is no value of reportsFailure; did you mean “true”?"],
    ["from=yesterday", "“yesterday” is no value of from."],
    ["ip=300.1.1.1", "“300.1.1.1” is no value of ip."],
    ["xyzzyxyzzyxyzzy=1", "no filter of events is named “xyzzyxyzzyxyzzy”."],
  ])("is named with the nearest: %s", (search, sentence) => {
    expect(ignored(search)).toEqual([sentence]);
  });

  it("is nothing that the page reads, and no empty or lifted filter", () => {
    expect(ignored("state=failed&type=a&type=b&q=%20acme&event=evt_1&tab=payload&order=occurred&source=&period=24h")).toEqual([]);
    const query = new URLSearchParams("active=true&order=asc&asOf=2026-01-01");
    expect(ignoredOf("tasks", VIEW_FILTERS, readFilter(VIEW_FILTERS, query), query)).toEqual([]);
  });
});

it("a source or state that only the URL has is named with the nearest; a sender's own state is not", () => {
  const options = { sources: [{ value: "stripe-live", label: "stripe-live" }], states: [{ value: "completed", label: "Completed" }] };
  const strange = (filter: Record<string, string>) => strangeOf("documents", VIEW_FILTERS, filter, options);
  expect(strange({ source: "stripe-liv" })).toEqual(["No source is named “stripe-liv”; did you mean “stripe-live”?"]);
  expect(strange({ source: "github" })).toEqual(["No source is named “github”."]);
  expect(strange({ state: "complted" })).toEqual(["“complted” is no usual state of documents; did you mean “completed”?"]);
  expect(strange({ state: "archived", source: "stripe-live", q: "x" })).toEqual([]);
});

it("the number of open issues stands only beside a list of all of them", () => {
  expect(openCountOf({ state: ["resolved"] }, 7)).toBe(7);
  expect(openCountOf({ state: ["open"], origin: "platform" }, 7)).toBe(0);
});
