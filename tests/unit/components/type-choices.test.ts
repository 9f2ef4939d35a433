import { expect, it } from "vitest";
import { timesWords } from "#components/alerts/alerts-page";
import { offered } from "#components/records/type-choices";

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
