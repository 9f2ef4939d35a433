import { describe, expect, it } from "vitest";
import { dropGone, type EventPages, joinWaiting, prependRows, refreshRows, rowsOf } from "#lib/client/queries/events";
import type { EventState, EventSummary } from "#lib/contracts/events/events";
import { eventSummary } from "#tests/support/event-summary";

const at = (second: number, state: EventState = "processed"): EventSummary =>
  eventSummary({ id: `evt_${second}`, state, receivedAt: new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString() });

const pages = (events: EventSummary[], nextCursor: string | null = null): EventPages => ({
  pages: [{ data: events, nextCursor }],
  pageParams: [null],
});
const ids = (data: EventPages) => rowsOf(data).map(({ id }) => id);

describe("the loaded event list", () => {
  it("takes new events on top, newest first, whatever order they come in, and each once, however often it comes", () => {
    expect(ids(prependRows(pages([at(1)]), [at(3), at(2)]))).toEqual(["evt_3", "evt_2", "evt_1"]);
    const once = prependRows(pages([at(1)]), [at(2)]);
    expect(ids(prependRows(once, [at(2), at(1)]))).toEqual(["evt_2", "evt_1"]);
  });

  it("shows a new state without moving a row, and stays the same object when nothing is new", () => {
    const { data, unseen } = refreshRows(pages([at(2, "pending"), at(1)]), [at(2, "failed")]);
    expect(rowsOf(data).map(({ state }) => state)).toEqual(["failed", "processed"]);
    expect(unseen).toEqual([]);
    const before = pages([at(2), at(1)]);
    expect(refreshRows(before, [at(1)]).data).toBe(before);
  });

  it("takes for new neither older pages that are not loaded nor what came in the same millisecond as the last loaded row", () => {
    const loaded = pages([at(9), at(8)], "cursor");
    expect(refreshRows(loaded, [at(9), at(8), at(7)]).unseen).toEqual([]);
    expect(ids(prependRows(loaded, [at(10), at(7)]))).toEqual(["evt_10", "evt_9", "evt_8"]);
    expect(refreshRows(loaded, [at(9), at(8), { ...at(8), id: "evt_beside" }]).unseen).toEqual([]);
  });

  it("drops rows that match no longer, and keeps what the answer does not reach", () => {
    const loaded = pages([at(9), at(8), at(3)], "cursor");
    expect(ids(dropGone(loaded, { data: [at(9), at(7)], nextCursor: "more" }))).toEqual(["evt_9", "evt_3"]);
    expect(ids(dropGone(loaded, { data: [at(9)], nextCursor: null }))).toEqual(["evt_9"]);
  });

  it("tells the same id of two sources apart", () => {
    expect(rowsOf(pages([at(1), { ...at(1), source: "other" }]))).toHaveLength(2);
  });

  it("keeps the later word about an event that waits", () => {
    expect(joinWaiting([at(1, "pending")], [at(2), at(1, "failed")]).map(({ id, state }) => `${id} ${state}`)).toEqual([
      "evt_2 processed",
      "evt_1 failed",
    ]);
  });
});
