import { describe, expect, test } from "vitest";
import { Cursor } from "#lib/db/cursor";

const EVENTS = new Cursor("events", { at: "time", seq: "integer" });
const VIEWS = new Cursor("views", { last: "integer", id: "id" });
const at = new Date("2026-11-21T12:00:00.123Z");

/** A cursor with one part in another's place. */
function changed(cursor: string, index: number, value: unknown): string {
  const parts = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
  return Buffer.from(JSON.stringify(parts.with(index, value))).toString("base64url");
}

describe("a cursor", () => {
  test("gives back the place it was made of", () => {
    expect(EVENTS.decode(EVENTS.encode({ at, seq: 7 }))).toEqual({ at, seq: 7 });
    const place = { last: -5, id: `${"ü".repeat(399)}\u0001` };
    expect(VIEWS.decode(VIEWS.encode(place, { kind: "task" }), { kind: "task" })).toEqual(place);
  });

  test("is none where none was sent", () => {
    expect([EVENTS.decode(undefined), EVENTS.decode("")]).toEqual([null, null]);
  });

  test("is given where more rows were read than asked for, and names the last that is shown", () => {
    const rows = [1, 2, 3].map((seq) => ({ at, seq }));
    expect(EVENTS.next(rows, 3)).toBeNull();
    expect(EVENTS.next([], 3)).toBeNull();
    expect(EVENTS.decode(EVENTS.next(rows, 2) ?? "")).toEqual({ at, seq: 2 });
  });

  test("of another list or another filter is refused with words", () => {
    const cursor = EVENTS.encode({ at, seq: 1 }, { type: ["a"], q: "x" });
    expect(() => VIEWS.decode(cursor)).toThrow("another list");
    expect(() => EVENTS.decode(cursor, { type: ["b"], q: "x" })).toThrow("another filter");
    expect(() => EVENTS.decode(cursor)).toThrow("another filter");
    expect(EVENTS.decode(cursor, { q: "x", type: ["a"], source: undefined, from: "" })).toEqual({ at, seq: 1 });
  });

  test.each([
    [0, 2],
    [1, "audit"],
    [3, 8.64e15],
    [3, -1],
    [3, 1.5],
    [3, null],
    [3, "2026-01-01T00:00:00.000Z"],
    [4, 2 ** 53],
    [4, "7"],
    [4, null],
    [5, "more"],
  ])("of the log whose part %i was made %o is refused", (index, value) => {
    const cursor = EVENTS.encode({ at, seq: 1 });
    expect(() =>
      EVENTS.decode(index === 5 ? Buffer.from(JSON.stringify([1, "events", "x"])).toString("base64url") : changed(cursor, index, value)),
    ).toThrow(
      expect.objectContaining({ code: "invalid_request", errors: [{ path: "cursor", message: expect.stringContaining("cursor: ") }] }),
    );
  });

  test.each(["a\u0000b", "\ud800", "", 5, null, "x".repeat(1001)])("whose id was made %o is refused", (id) => {
    expect(() => VIEWS.decode(changed(VIEWS.encode({ last: 1, id: "a" }), 4, id))).toThrow("it was modified");
  });
});
