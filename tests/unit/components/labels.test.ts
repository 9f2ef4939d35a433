import { expect, test } from "vitest";
import { expiryWords } from "#components/connections/connection-state";
import { issueEventsWords, stateWords } from "#components/issues/issue-state";
import { shortId } from "#components/records/resource-id";
import { isCurrent } from "#components/shell/navigation/navigation";
import { clockWords, durationWords, relativeWords } from "#components/ui/time-format";

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
