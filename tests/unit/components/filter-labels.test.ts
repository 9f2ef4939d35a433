import { describe, expect, it } from "vitest";
import { openCountOf } from "#components/issues/issue-filters";
import { ignoredOf, strangeOf } from "#components/records/filters/ignored-filters";
import { spanWords, timeWords } from "#components/records/filters/period";
import { failureWords } from "#components/records/volume-bars";
import { dayStart, exactWords } from "#components/ui/time-format";
import { readFilter } from "#lib/client/url-filter";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { VIEW_FILTERS } from "#lib/contracts/list-filters";

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
