import { expect, it } from "vitest";
import { fieldsOf } from "#lib/flows/events/payload-fields";

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

it("ends on payloads that are deep or large, with 100 fields at most", () => {
  const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ a: inner }), { end: 1 });
  expect(fieldsOf([deep])).toEqual([]);
  const wide = Object.fromEntries(Array.from({ length: 400 }, (_none, index) => [`key${index}`, index]));
  expect(fieldsOf([wide])).toHaveLength(100);
});
