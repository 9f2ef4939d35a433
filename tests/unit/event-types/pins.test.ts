import { expect, it } from "vitest";
import { parseExact } from "#lib/contracts/exact-json";
import type { PinnedField } from "#lib/event-types/live-field";
import { allowedWords, pinFromFile } from "#lib/event-types/pins";
import { pinnedSchema } from "#lib/event-types/writers/pinned-schema";

const object = (properties: object, required: string[] = []) => ({ type: "object", properties, ...(required.length > 0 && { required }) });

function pinned(document: object): Record<string, PinnedField> {
  const pin = pinFromFile(document as Record<string, unknown>);
  if (typeof pin === "string") throw new Error(pin);
  return pin;
}

/** What each field may be, in words, and its values. */
const said = (document: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pinned(document)).map(([path, { usual, values }]) => [path, [allowedWords(usual), ...(values ?? [])].join(" | ")]),
  );

it("a pin from a file asks for what the file requires, as the types and values that it names", () => {
  const line = object({ price: { type: "integer" } }, ["price"]);
  const document = object(
    {
      status: { enum: ["b", "a", null] },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      totals: { type: "object", additionalProperties: { type: "number" } },
      any: {},
    },
    ["status", "any"],
  );
  expect(said({ ...document, $defs: { line } })).toEqual({
    data: "object",
    "data.status": "null or string, always there | a | b",
    "data.lines": "array",
    "data.lines[]": "object",
    "data.lines[].price": "number, always there",
    "data.totals": "object",
    "data.totals.*": "number",
    "data.any": "null or boolean or number or string or object or array, always there",
  });
});

it("requires of alternatives what all require, and within an object or null what the object requires", () => {
  const one = object({ id: { type: "string" }, a: { type: "string" } }, ["id", "a"]);
  const other = object({ id: { type: "integer" } }, ["id"]);
  const by = { anyOf: [object({ name: { type: "string" } }, ["name"]), { type: "null" }] };
  expect(said({ oneOf: [one, other] })).toMatchObject({ "data.id": "number or string, always there", "data.a": "string" });
  expect(said(object({ by }))).toMatchObject({ "data.by": "null or object", "data.by.name": "string, always there" });
});

it("ends at the bounds of a schema, also where references lead to themselves", () => {
  const wide = object(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { type: "string" }])));
  expect(Object.keys(pinned(wide))).toHaveLength(400);
  const last = Object.keys(pinned(object({ first: wide, last: { type: "string" } })));
  expect([last.length, last.includes("data.last")]).toEqual([400, true]);
  const paths = Object.keys(pinned({ $ref: "#/$defs/node", $defs: { node: object({ next: { $ref: "#/$defs/node" } }) } }));
  expect(Math.max(...paths.map((path) => path.split(".").length))).toBe(9);
});

it("says why a file can't be pinned to", () => {
  expect(pinFromFile({ title: "x", $ref: "#/none" })).toMatch(/^The schema names no fields\./);
  expect(pinFromFile({ type: "string" })).toBe("The schema is not of an object.");
  expect(pinFromFile({ openapi: "3.1.0", webhooks: {} })).toBe("The schema names no fields.");
});

it("is written again as the schema that it was, keys that mean something to JavaScript too", () => {
  const document = parseExact(
    '{"type":"object","properties":{"a b":{"type":"array","items":{"type":"boolean"}},"__proto__":{"type":"string"}},"required":["__proto__"]}',
  ) as object;
  expect(JSON.stringify(pinnedSchema(pinned(document)))).toBe(JSON.stringify(document));
});
