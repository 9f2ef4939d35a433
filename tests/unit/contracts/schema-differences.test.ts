import { describe, expect, it } from "vitest";
import type { SchemaField } from "#lib/contracts/event-types";
import { parseExact } from "#lib/contracts/exact-json";
import { differencesOf, isUndocumented, violationsOf } from "#lib/contracts/schemas/differences";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { presenceWords, roleOf } from "#lib/contracts/schemas/learnt-fields";
import { observedSchema } from "#lib/event-types/writers/json-schema";
import { learnFields } from "#tests/support/lessons";

const EVENTS = [
  ...Array.from({ length: 350 }, (_, n) => ({ id: `doc_${n}`, pages: n, status: n % 2 ? "done" : "new", lines: [{ sku: "a" }] })),
  ...Array.from({ length: 50 }, () => ({ id: "doc_x", pages: null, status: "new", lines: [] })),
  // A value is kept that three records have.
  ...Array.from({ length: 3 }, () => ({ id: "doc_y", status: "gone", lines: [{ sku: 7.5 }], risk: "high" })),
];

const seen = learnFields(EVENTS);

describe("what was seen, as a JSON Schema", () => {
  it("requires a field that all of 300 events or more had, and no other", () => {
    const schema = observedSchema(seen, null);
    expect(schema.required).toEqual(["id", "lines", "status"]);
    expect(schema.properties?.pages).toEqual({ type: ["integer", "null"], $comment: "in 400 of 403" });
    expect(observedSchema(learnFields(EVENTS.slice(0, 299)), null).required).toBeUndefined();
    expect(observedSchema(learnFields(EVENTS.slice(0, 300)), null).required).toEqual(["id", "lines", "pages", "status"]);
  });

  it("has fields in order, types of elements, and no values but as examples, until they were accepted", () => {
    const { properties = {} } = observedSchema(seen, null);
    expect(Object.keys(properties)).toEqual(["id", "lines", "pages", "risk", "status"]);
    expect(properties.lines?.items?.properties?.sku?.type).toEqual(["string", "number"]);
    expect(properties.status).toMatchObject({ type: "string", examples: ["done", "gone", "new"] });
    const accepted = observedSchema(seen, "all");
    expect(accepted.properties?.status?.enum).toEqual(["done", "gone", "new"]);
    expect(observedSchema(seen, accepted).properties?.status?.enum).toEqual(["done", "gone", "new"]);
    const before = observedSchema(learnFields(EVENTS.slice(0, 300)), "all");
    expect(observedSchema(seen, before).properties?.status).toMatchObject({ examples: ["done", "gone", "new"] });
  });

  it("closes no values and requires nothing within a list of which not all elements were looked at", () => {
    const lists = learnFields(Array.from({ length: 300 }, () => ({ tags: ["a", "b"], lines: [{ sku: "a" }] })));
    const itemsOf = (name: string, max: number) => {
      const fields = lists.map((field) => (field.path === `data.${name}` ? { ...field, elements: { min: 0, max } } : field));
      return observedSchema(fields, "all").properties?.[name]?.items;
    };
    expect([itemsOf("lines", 8)?.required, itemsOf("lines", 9)?.required]).toEqual([["sku"], undefined]);
    expect(itemsOf("tags", 8)).toEqual({ type: "string", enum: ["a", "b"] });
    expect(itemsOf("tags", 9)).toEqual({ type: "string", examples: ["a", "b"] });
  });

  it("takes every event that it was learnt from", () => {
    for (const closed of [null, "all"] as const)
      for (const event of EVENTS) expect([...violationsOf(observedSchema(seen, closed), event)]).toEqual([]);
  });

  it("is of no field where nothing was learnt", () => {
    expect(observedSchema([], null)).toEqual({});
  });
});

describe("a schema compared with what was seen", () => {
  const required: FieldSchema = {
    type: "object",
    properties: {
      id: { type: "string" },
      pages: { type: "integer" },
      status: { type: "string", enum: ["new", "done"] },
      owner: { type: "string" },
      lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] } },
    },
    required: ["id", "pages", "owner"],
  };

  it("differs where a required field was absent, and by type and value, with the first event of each and how many", () => {
    const found = differencesOf(required, seen);
    expect(
      found.map(({ path, expected, observed, count, firstEvent }) => [path, expected, observed, count, firstEvent?.id ?? null]),
    ).toEqual([
      ["data.pages", "required", "absent in 3 of 403", 3, null],
      ["data.pages", "integer", "null", 50, "evt_351"],
      ["data.status", '"new" or "done"', '"gone"', 3, "evt_401"],
      ["data.owner", "required", "absent in all of 403", 403, null],
      ["data.lines[].sku", "string", "number", 3, "evt_401"],
      ["data.risk", "no such field", "string", 3, "evt_401"],
    ]);
    expect(found.filter(isUndocumented)).toHaveLength(1);
  });

  it("is fine with integers where it says number, not with fractions where it says integer", () => {
    const numbers = learnFields([{ n: 1 }, { n: 1.5 }]);
    expect(differencesOf({ properties: { n: { type: "number" } } }, numbers)).toEqual([]);
    expect(differencesOf({ properties: { n: { type: "integer" } } }, numbers)).toMatchObject([{ observed: "number", count: 1 }]);
    expect(differencesOf({ properties: { n: { type: "integer" } } }, learnFields([{ n: 1 }]))).toEqual([]);
  });

  it("judges entries of a map by one schema, and keys that are data not at all", () => {
    const entries = learnFields([{ rates: { eur: 1, usd: "2" } }]);
    expect(differencesOf({ properties: { rates: { additionalProperties: { type: "number" } } } }, entries)).toMatchObject([
      { path: "data.rates.usd", observed: "string" },
    ]);
    const map = learnFields([{ rates: { eur: 1 } }]).map((field) =>
      field.path === "data.rates.eur" ? { ...field, path: "data.rates.*", key: "*" } : field,
    );
    expect(differencesOf({ properties: { rates: { properties: { eur: { type: "number" } }, required: ["eur"] } } }, map)).toMatchObject([
      { kind: "undocumented" },
    ]);
  });

  it("finds in single events what it finds in all of them", () => {
    const found = new Set(EVENTS.flatMap((event) => [...violationsOf(required, event)].map(({ kind, path }) => `${kind} ${path}`)));
    const compared = differencesOf(required, seen).filter((each) => !isUndocumented(each));
    expect(found).toEqual(new Set(compared.map(({ kind, path }) => `${kind} ${path}`)));
  });
});

it("reads a field's place from its path, whatever the key is", () => {
  const fields = learnFields([parseExact('{"a.b":{"*":1,"[]":2},"list":[1],"q\\"uote":1,"__proto__":1,"":1}')]);
  expect(fields.map(({ path, parent }) => [path, parent === null ? null : roleOf({ path, parent })])).toEqual([
    ["data", null],
    ['data.""', { kind: "key", key: "" }],
    ['data."a.b"', { kind: "key", key: "a.b" }],
    ['data."a.b"."*"', { kind: "key", key: "*" }],
    ['data."a.b"."[]"', { kind: "key", key: "[]" }],
    ['data."q\\"uote"', { kind: "key", key: 'q"uote' }],
    ["data.__proto__", { kind: "key", key: "__proto__" }],
    ["data.list", { kind: "key", key: "list" }],
    ["data.list[]", { kind: "element" }],
  ]);
  const schema = observedSchema(fields, null);
  expect(Object.keys(schema.properties ?? {})).toContain("__proto__");
});

it("says in words how often a field was there, and never 100% or 0% for what is neither", () => {
  const words = (present: number, all: number) => presenceWords({ present, seen: all } as SchemaField);
  expect([words(9112, 9112), words(2825, 9112), words(9111, 9112), words(3, 9112), words(0, 5), words(1, 2)]).toEqual([
    "in all of 9,112",
    "in 31%",
    "in all but 1 of 9,112",
    "in 3 of 9,112",
    "in none of 5",
    "in 50%",
  ]);
});
