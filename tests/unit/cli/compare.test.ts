import { describe, expect, it } from "vitest";
import type { Sent } from "../../../packages/cli/src/deliver.ts";
import { compareAnswers, ignoredPaths } from "../../../packages/cli/src/replay-report.ts";

const answered = (body: unknown, status = 200): Sent => ({
  outcome: "answered",
  status,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  contentType: "application/json",
  durationMs: 1,
});

const differ = (first: unknown, second: unknown, ...ignored: string[]) =>
  compareAnswers(answered(first), answered(second), ignoredPaths(ignored)).map(({ path }) => path);

describe("two answers", () => {
  it("are the same whatever the order of their fields and their white space", () => {
    expect(differ({ a: 1, b: [1, { c: 2 }] }, '{ "b": [1, {"c": 2}], "a": 1 }')).toEqual([]);
  });

  it("differ where a value, a field or an element does", () => {
    expect(differ({ a: 1, b: 2, items: [{ at: 1 }, { at: 2 }] }, { a: 1, c: 2, items: [{ at: 1 }, { at: 3 }, 4] })).toEqual([
      "$.b",
      "$.items[1].at",
      "$.items[2]",
      "$.c",
    ]);
    expect(differ("plain", "text")).toEqual(["body"]);
    expect(differ({ a: [] }, { a: {} })).toEqual(["$.a"]);
  });

  it("may differ at ignored paths, and nowhere else", () => {
    const [one, two] = [
      { id: 1, items: [{ at: 1, n: 1 }] },
      { id: 2, items: [{ at: 2, n: 2 }] },
    ];
    expect(differ(one, two, "$.id", "items[*].at")).toEqual(["$.items[0].n"]);
    expect(differ(one, two, '$["id"]', "$.items[0].at", "$.items[*].n")).toEqual([]);
    expect(() => ignoredPaths(["$"])).toThrow(/is not a path/);
    expect(() => ignoredPaths(["a[b"])).toThrow(/is not a path/);
  });

  it("differ in status, whatever the bodies say", () => {
    expect(compareAnswers(answered({}, 200), answered({}, 500), [])).toEqual([{ path: "status", first: "200", second: "500" }]);
    const broken: Sent = { outcome: "broken", error: "the connection was closed", durationMs: 1 };
    expect(compareAnswers(answered({}), broken, [])).toEqual([{ path: "status", first: "200", second: "the connection was closed" }]);
    expect(compareAnswers(broken, broken, [])).toEqual([]);
  });
});
