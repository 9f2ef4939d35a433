import { describe, expect, it } from "vitest";
import { workspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { filterSql, rangeOf } from "#lib/events/search/filter-sql";
import { parseFilter } from "#lib/events/search/query";

const NOW = new Date("2026-11-28T12:00:00Z");
const WORKSPACE = workspaceId.parse("wsp_1");

describe("the SQL of a filter", () => {
  it.each<[string, EventFilter]>([
    ["two types", { type: ["a", "b"] }],
    ["a beginning and a type", { type: ["a.*", "b"] }],
    ["reported failures", { reportsFailure: true }],
    ["a source", { source: "platform" }],
  ])("has every value that it binds, also for an estimate: %s", (_, filter) => {
    for (const estimated of [true, false]) {
      const { driver, where, bound } = filterSql(WORKSPACE, parseFilter(filter), NOW, { estimated });
      const text = [driver ?? "", ...where].join(" ");
      expect(bound.values.map((_, index) => text.includes(`$${index + 1}`))).toEqual(bound.values.map(() => true));
      if (estimated) expect(driver).toBeNull();
    }
  });
});

it("what occurred from a moment on was received at most five minutes before it", () => {
  expect(rangeOf({ occurredFrom: "2026-11-27T00:00:00+01:00" }, NOW).from).toBe("2026-11-26T22:55:00.000Z");
  expect(rangeOf({ occurredFrom: "2026-11-27T00:00:00Z", period: "1h" }, NOW).from).toBe("2026-11-28T11:00:00.000Z");
  expect(rangeOf({ occurredFrom: "0001-01-01T00:00:00Z" }, NOW).from).toBe("1970-01-01T00:00:00.000Z");
});
