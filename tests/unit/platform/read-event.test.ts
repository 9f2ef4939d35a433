import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { NO_MAPPING } from "#lib/platform/field-names";
import { envelopeSchema, isEnvelope, readEnvelope, readEvents, readingOfStored } from "#lib/platform/read-event";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { figure } from "#tests/support/figure";
import { ofEachKind } from "#tests/support/sample";
import { SENDERS } from "#tests/support/senders";

const ENTRIES = 1000;
const TEXT = "x".repeat(8_000_000);

const placesOf = (template: KnownTemplate) => TEMPLATES[template].reading?.items?.split("[]").length;
const LISTS = (Object.keys(SENDERS) as KnownTemplate[]).filter((template) => {
  const { items, body } = TEMPLATES[template].reading ?? {};
  return items !== undefined && body === undefined;
});

/** The list of a sender's example, with so many entries; the first makes up most of its bytes. */
function listOf(template: KnownTemplate, entries: number): Buffer {
  const body = JSON.parse(SENDERS[template].body);
  const keys = (TEMPLATES[template].reading?.items ?? "").replace(/\[\]$/, "").replaceAll("[]", ".0").split(".");
  const list: unknown[] = keys[0] === "$" ? body : keys.reduce((value, key) => value[key], body);
  const [example] = list;
  list.length = 0;
  for (let n = 0; n < entries; n += 1) list.push({ ...(example as object), resourceData: { n, text: n === 0 ? TEXT : "" } });
  return Buffer.from(JSON.stringify(body));
}

/** Milliseconds that reading it takes. */
function timeToRead(template: KnownTemplate, entries: number): number {
  const body = listOf(template, entries);
  const source = readingOfStored({ name: "lists", template, records: "none", record: null, reading: null, mapping: {} });
  const since = performance.now();
  const read = readEvents({ body, headers: {}, query: "a=1", receivedAt: new Date(0) }, source);
  const ms = performance.now() - since;
  expect(read.outcome === "events" && read.events.length, JSON.stringify(read).slice(0, 300)).toBe(entries);
  return ms;
}

it.each(ofEachKind(LISTS, placesOf))("the largest list of %s takes time by its bytes, not by its bytes for each entry", (template) => {
  timeToRead(template, 1); // compiles it
  const one = timeToRead(template, 1);
  const many = timeToRead(template, ENTRIES);
  figure(`a list of 8 MB: ${one.toFixed(0)} ms with one entry, ${many.toFixed(0)} ms with ${ENTRIES}`);
  // Each entry hashing the whole body would take a hundred times as long.
  expect(many).toBeLessThan(10 * one + 300);
});

const read = (value: unknown) =>
  readEnvelope(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)), NO_MAPPING);

describe("a verified body that is no event says why, field by field", () => {
  test.each([
    [
      { id: 42, type: "document.processed", created: "now" },
      "id must be text, not a number; created must be a number, not text; data is missing",
    ],
    [[], "the body must be an object, not a list"],
    [{ id: "evt_\u0000", type: "x", created: 1, data: {} }, "id is . or .., or contains characters that identifiers can't contain"],
  ])("%j", (value, detail) => expect(read(value)).toEqual({ outcome: "invalid_envelope", detail }));

  test("and what is no JSON says that", () => expect(read("{not json")).toMatchObject({ outcome: "malformed_json" }));
});

test("where data differs from the documented shape is told, and refuses nothing", () => {
  const [note] = shapeNotes("document.processed", { documentId: 7 });
  expect(note).toBe("data.documentId must be text, not a number");
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
