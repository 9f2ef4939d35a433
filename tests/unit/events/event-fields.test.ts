import { expect, it } from "vitest";
import type { LearntField } from "#lib/event-types/schema-store";
import { fieldsOf, textAt } from "#lib/flows/events/payload-fields";

it("names the fields of payloads as the search does, the most frequent first, and the values of those that have few", () => {
  const items = [{ sku: "a" }, { sku: "b" }];
  expect(fieldsOf([{ status: "failed", items }, { status: "done", late: true }, { status: "done", "odd key": 1 }, undefined])).toEqual([
    { path: "data.status", values: ["done", "failed"], inList: false },
    { path: "data.items.sku", values: ["a", "b"], inList: true },
    { path: "data.late", values: ["true"], inList: false },
  ]);
});

it("offers no values of a field that has many or long ones, or a quote, which a term can't hold", () => {
  const ids = Array.from({ length: 9 }, (_none, index) => ({ id: `doc_${index}` }));
  expect(fieldsOf(ids)).toEqual([{ path: "data.id", values: [], inList: false }]);
  expect(fieldsOf([{ name: "x".repeat(41) }])).toMatchObject([{ path: "data.name", values: [] }]);
  expect(fieldsOf([{ name: 'a "b"' }])).toMatchObject([{ path: "data.name", values: [] }]);
});

const learntField = (path: string, stats: object, events = 1000): LearntField =>
  ({
    sourceId: "src_1",
    type: "a",
    events,
    path,
    n: events,
    types: ["string"],
    values: null,
    ...stats,
  }) as unknown as LearntField;

const seen = (text: string, n: number) => ({ [text]: { n, text } });

it("takes the fields that were learnt, also those that no recent event has, and all values of an enumeration", () => {
  const learnt = [
    learntField("data.status", { values: { ...seen("failed", 3), ...seen("done", 997) } }),
    learntField("data.items[].sku", { n: 5000 }),
    learntField("data.rare", { n: 2, types: ["boolean", "null"] }),
    learntField("data.metadata.*", {}),
    learntField('data."a key"', {}),
    learntField("data.count", { types: ["number"] }),
  ];
  expect(fieldsOf([], learnt)).toEqual([
    { path: "data.count", values: [], inList: false },
    { path: "data.items.sku", values: [], inList: true },
    { path: "data.status", values: ["done", "failed"], inList: false },
    { path: "data.rare", values: ["false", "true"], inList: false },
  ]);
});

it("offers no values of what was learnt to be no enumeration, and those of recent events where too few were seen to tell", () => {
  const recent = [{ name: "Acme", status: "done" }];
  expect(fieldsOf(recent, [learntField("data.name", {}), learntField("data.status", {}, 10)])).toMatchObject([
    { path: "data.name", values: [] },
    { path: "data.status", values: ["done"] },
  ]);
  const values = { ...seen("new", 500), ...seen("failed", 500) };
  expect(fieldsOf(recent, [learntField("data.status", { values })]).find(({ path }) => path === "data.status")?.values).toEqual([
    "done",
    "failed",
    "new",
  ]);
});

it("ends on payloads that are deep or large, with 200 fields at most", () => {
  const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ a: inner }), { end: 1 });
  expect(fieldsOf([deep])).toEqual([]);
  const wide = Object.fromEntries(Array.from({ length: 400 }, (_none, index) => [`key${index}`, index]));
  expect(fieldsOf([wide])).toHaveLength(200);
});

it("a long list in a column says how many more there are, and names that every object has are no fields", () => {
  expect(textAt({ data: { n: [1, 2, 3, 4, 5, 6, 7] } }, "data.n")).toBe("1, 2, 3, 4, 5 and 2 more");
  expect(textAt({ data: {} }, "data.toString")).toBe("");
  expect(textAt({ data: { a: "x".repeat(500) } }, "data.a")).toHaveLength(200);
  expect(textAt({ data: { a: { b: 1 } } }, "data.a")).toBe("");
});
