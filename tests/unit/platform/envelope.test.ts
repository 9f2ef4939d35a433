import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { NO_MAPPING } from "#lib/platform/field-names";
import { envelopeSchema, isEnvelope, readEnvelope } from "#lib/platform/read-event";

const read = (value: unknown) =>
  readEnvelope(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)), NO_MAPPING);

describe("a verified body that is no event says why, field by field", () => {
  test.each([
    [
      { id: 42, type: "document.processed", created: "now" },
      "id: expected string, received number; created: expected number, received string; data: expected record, received undefined",
    ],
    [[], "body: expected object, received array"],
    [{ id: "evt_\u0000", type: "x", created: 1, data: {} }, "id: is . or .., or contains characters that identifiers can't contain"],
  ])("%j", (value, detail) => expect(read(value)).toEqual({ outcome: "invalid_envelope", detail }));

  test("and what is no JSON says that", () => expect(read("{not json")).toMatchObject({ outcome: "malformed_json" }));
});

test("where data differs from the documented shape is told, and refuses nothing", () => {
  const [note] = shapeNotes("document.processed", { documentId: 7 });
  expect(note).toBe("data.documentId: expected string, received number");
  expect(shapeNotes("a.type.nobody.knows", { any: "thing" })).toEqual([]);
});

const text = fc.oneof(
  fc.constantFrom("", "evt_1", "\u0000", "\ud800", "é", "x".repeat(200), "x".repeat(201), "x".repeat(400), "x".repeat(401)),
  fc.string(),
);
const anything = fc.oneof(text, fc.integer(), fc.constantFrom(1.5, 2 ** 53, -0, null, true), fc.json().map(JSON.parse));
const data = fc.oneof(fc.dictionary(fc.oneof(fc.constantFrom("__proto__", "constructor"), fc.string()), anything), anything);
const body = fc.oneof(
  fc.record({ id: text, type: text, created: fc.oneof(fc.integer(), anything), data }, { requiredKeys: [] }),
  fc.record({ id: text, type: fc.constant("a.b"), created: fc.integer(), data, more: anything }),
  anything,
);

test("what is read without the schema is what the schema takes, as it is", () => {
  let taken = 0;
  fc.assert(
    fc.property(body, (made) => {
      const value: unknown = JSON.parse(JSON.stringify(made) ?? "null");
      const parsed = envelopeSchema.safeParse(value);
      const prototype = JSON.stringify(value).includes("__proto__");
      if (!prototype) expect(isEnvelope(value)).toBe(parsed.success);
      if (!isEnvelope(value)) return;
      taken += 1;
      expect(parsed.data).toEqual(value);
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(100);
  const hidden = JSON.parse('{"id":"a","type":"b","created":1,"data":{"__proto__":{"x":1}}}');
  expect([isEnvelope(hidden), envelopeSchema.safeParse(hidden).success]).toEqual([false, true]);
});

test("a byte order mark is passed over once, and bytes that are no UTF-8 are no event", () => {
  const bytes = Buffer.from('{"id":"a","type":"b","created":1,"data":{}}');
  const marked = (count: number) => Buffer.concat([...Array.from({ length: count }, () => Buffer.from("efbbbf", "hex")), bytes]);
  const outcomes = [marked(1), marked(2), Buffer.concat([bytes, Buffer.from([0xff])]), Buffer.from("eda080", "hex")];
  expect(outcomes.map((each) => readEnvelope(each, NO_MAPPING).outcome)).toEqual([
    "envelope",
    "malformed_json",
    "malformed_json",
    "malformed_json",
  ]);
});
