import { describe, expect, it } from "vitest";
import { periodOf, totalWords } from "#lib/client/queries/event-volume";
import { progressWords } from "#lib/client/queries/redeliveries";

const volume = {
  from: "2026-11-21T10:00:20.000Z",
  to: "2026-11-21T10:02:30.000Z",
  stepSeconds: 60,
  total: 3,
  precision: "exact" as const,
  by: "received" as const,
  bars: ["10:00", "10:01", "10:02"].map((at) => ({
    ...{ at: `2026-11-21T${at}:00.000Z`, count: 1 },
    ...{ failed: 0, everFailed: 0, repaired: 0, reported: 0 },
  })),
};

describe("how many there are", () => {
  it.each([
    [12_431, "exact", "12,431 events"],
    [1, "exact", "1 event"],
    [0, "exact", "No events"],
    [12_431, "estimate", "about 12,400 events"],
    [1_000_093, "estimate", "about 1,000,000 events"],
    [7, "estimate", "about 7 events"],
    [10_000, "at_least", "10,000+ events"],
    [0, "unknown", "Too many to count in time"],
  ] as const)("%i, %s: %s", (total, precision, words) => {
    expect(totalWords({ total, precision })).toBe(words);
  });
});

describe("what is drawn over the histogram", () => {
  it("is the period from the first bar's beginning to the last one's end, whichever way it was drawn", () => {
    const period = { from: "2026-11-21T10:00:00.000Z", to: "2026-11-21T10:02:00.000Z" };
    expect(periodOf(volume, 0, 1)).toEqual(period);
    expect(periodOf(volume, 1, 0)).toEqual(period);
    expect(periodOf(volume, 0, 9)).toBeNull();
  });
});

describe("how far a re-delivery has come", () => {
  const one = {
    id: "rdl_1",
    name: null,
    total: 1000,
    waiting: 0,
    expired: 0,
    filter: null,
    destinations: false,
    event: null,
    requestedBy: null,
    createdAt: volume.from,
  };
  it.each([
    [{ state: "running", applied: 400, failed: 0, left: 600 }, "400 of 1,000 applied, 600 remaining"],
    [{ state: "aborted", applied: 400, failed: 1, left: 599 }, "400 of 1,000 applied, 1 failed again, 599 not attempted"],
    [{ state: "done", applied: 1000, failed: 0, left: 0 }, "1,000 of 1,000 applied"],
    [
      { state: "aborted", applied: 400, failed: 0, left: 100, expired: 500 },
      "400 of 1,000 applied, 100 not attempted, 500 no longer in the log",
    ],
  ] as const)("%o", (part, words) => {
    expect(progressWords({ ...one, ...part })).toBe(words);
  });
});
