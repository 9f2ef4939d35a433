import { expect, it, vi } from "vitest";
import { noteOutage } from "#lib/flows/ingest/receive-webhook";

const LISTED = "platform";

/** Returns what was noted of one request. */
function noted(source: string, status: number, outcome = "not_stored"): unknown[] {
  const note = vi.fn();
  const receiver = { outages: { note }, sources: { isListed: (name: string) => name === LISTED } };
  noteOutage(receiver as unknown as Parameters<typeof noteOutage>[0], source, outcome, status);
  return note.mock.calls;
}

it("counts 503 and 429 of a source that is known, and nothing else", () => {
  expect(noted(LISTED, 503)).toEqual([[LISTED, { unavailable: 1, limited: 0 }]]);
  expect(noted(LISTED, 429)).toEqual([[LISTED, { unavailable: 0, limited: 1 }]]);
  for (const status of [200, 401, 500]) expect(noted(LISTED, status)).toEqual([]);
  expect(noted(LISTED, 503, "certificate_not_fetched")).toEqual([]);
});

it("counts 503 of what may be a source, in a limited number of places, and no 429 and no name that none can have", () => {
  expect(noted("another", 503)).toEqual([["another", { unavailable: 1, limited: 0 }, 1000]]);
  expect(noted("another", 429)).toEqual([]);
  expect(noted("no name/at all", 503)).toEqual([]);
});
