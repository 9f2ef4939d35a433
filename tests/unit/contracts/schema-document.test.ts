import { describe, expect, it } from "vitest";
import { parseExact } from "#lib/contracts/exact-json";
import { dataPart, outermost, readDocument, typeOfValue } from "#lib/contracts/schemas/document";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";

function readingOf(document: object, type?: string) {
  const read = readDocument(document, type);
  if (read.outcome === "unreadable") throw new Error(read.detail);
  return read;
}

const schemaOf = (document: object) => readingOf(document).schema as FieldSchema | undefined;

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("a JSON Schema of a sender", () => {
  it("is read with its fields, what is required, values, lists and maps", () => {
    const status = { type: "string", enum: ["paid", "open"], description: "Where it stands" };
    const document = object({ status, items: { type: "array", items: object({ n: { type: "integer" } }) } }, { required: ["status"] });
    expect(schemaOf(document)).toEqual(document);
    expect(schemaOf({ type: "object", additionalProperties: { type: "number" } })).toEqual({
      type: "object",
      additionalProperties: { type: "number" },
    });
  });

  it("is read through references, in the order of a JSON Pointer, and ends where they lead to themselves", () => {
    const document = {
      $ref: "#/$defs/a~1b",
      $defs: { "a/b": object({ next: { $ref: "#/%24defs/a~1b" } }), loop: { $ref: "#/$defs/loop" }, gone: {} },
    };
    let part = schemaOf(document);
    let depth = 0;
    for (; part?.properties?.next; depth += 1) part = part.properties.next;
    expect(depth).toBeGreaterThan(3);
    expect(schemaOf(object({ a: { $ref: "#/$defs/loop" }, b: { $ref: "other.json" }, c: { $ref: "#/nowhere" } }))?.properties).toEqual({
      a: {},
      b: {},
      c: {},
    });
  });

  it("joins what all, any or one of several schemas say", () => {
    const a = object({ id: { type: "string" }, n: { type: "number" } }, { required: ["id", "n"] });
    const b = object({ id: { type: "integer" }, n: { type: "integer" } }, { required: ["id"] });
    expect(schemaOf({ oneOf: [a, b] })).toEqual(
      object({ id: { type: ["string", "integer"] }, n: { type: ["number", "integer"] } }, { required: ["id"] }),
    );
    expect(schemaOf({ allOf: [a, object({ n: { type: "integer" } })] })).toMatchObject({
      properties: { n: { type: "integer" } },
      required: ["id", "n"],
    });
    const orNull = { anyOf: [object({ x: { type: "string" } }, { required: ["x"] }), { type: "null" }] };
    expect(schemaOf(object({ orNull }))?.properties?.orNull).toEqual({
      type: ["object", "null"],
      properties: { x: { type: "string" } },
      required: ["x"],
    });
    expect(schemaOf(object({ any: { anyOf: [{}, { type: "string" }] } }))?.properties?.any).toEqual({});
  });

  it("knows const, nullable and values without a type", () => {
    const document = object({ a: { const: "x" }, b: { type: "string", nullable: true, enum: ["y"] }, c: { enum: [1, null] } });
    expect(schemaOf(document)?.properties).toEqual({
      a: { type: "string", enum: ["x"] },
      b: { type: ["string", "null"], enum: ["y", null] },
      c: { type: ["integer", "null"], enum: [1, null] },
    });
  });

  it("is refused in words where it describes no fields", () => {
    for (const [document, says] of [
      [[], /not a JSON object/],
      [{ type: "string" }, /not of an object/],
      [{ type: "object" }, /names no fields/],
      [{ openapi: "3.1.0", paths: {} }, /has no webhooks/],
      [{ openapi: "3.1.0", webhooks: { ping: {} } }, /JSON body/],
    ] as const)
      expect(readDocument(document)).toMatchObject({ outcome: "unreadable", detail: expect.stringMatching(says) });
  });

  it("is read as deep as it can be where references multiply, and refused where one level is too large", () => {
    const tenfold = (at: string) => object(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, { $ref: at }])));
    const { schema, notes } = readingOf({ ...tenfold("#/$defs/node"), $defs: { node: tenfold("#/$defs/node") } });
    expect(schema.properties?.f9?.properties?.f9?.properties?.f9).toBeDefined();
    expect(notes).toEqual(["The schema is large: it is read to 3 levels."]);
    const twice = { allOf: [{ $ref: "#/$defs/twice" }, { $ref: "#/$defs/twice" }] };
    expect(readDocument({ ...object({ a: {} }), ...twice, $defs: { twice } })).toEqual({
      outcome: "unreadable",
      detail: "The schema has more than 20,000 parts.",
    });
  });

  it("says which references lead nowhere: what they stand for allows anything", () => {
    const $id = "https://schemas.example/order.json";
    const parts = { own: { $ref: `${$id}#/$defs/n` }, other: { $ref: "other.json#/n" }, anchor: { $ref: "#n" }, gone: { $ref: "#/none" } };
    const { schema, notes } = readingOf({ $id, ...object(parts), $defs: { n: { type: "number" } } });
    expect(schema.properties).toEqual({ own: { type: "number" }, other: {}, anchor: {}, gone: {} });
    expect(notes).toEqual(["References that lead nowhere in the file allow anything: other.json#/n, #n, #/none."]);
    expect(readDocument({ $ref: "other.json" })).toMatchObject({ detail: expect.stringMatching(/names no fields.*other\.json/) });
  });

  it("keeps a field that is called __proto__", () => {
    const document = parseExact('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}}}');
    expect(Object.keys(schemaOf(document as object)?.properties ?? {})).toEqual(["__proto__", "constructor"]);
  });
});

describe("an OpenAPI document", () => {
  const webhook = (schema: object) => ({ post: { requestBody: { content: { "application/json": { schema } } } } });
  const document = {
    openapi: "3.1.0",
    webhooks: {
      "branch-protection-rule-created": { $ref: "#/components/pathItems/rule" },
      ping: webhook({ $ref: "#/components/schemas/ping" }),
    },
    components: {
      pathItems: { rule: webhook(object({ rule: { type: "object" } })) },
      schemas: { ping: object({ zen: { type: "string" } }) },
    },
  };

  it("documents the type that a webhook is named like, in any spelling", () => {
    for (const type of ["branch_protection_rule.created", "branchProtectionRule/created"])
      expect(readingOf(document, type)).toMatchObject({ name: "branch-protection-rule-created", schema: { properties: { rule: {} } } });
    expect(readingOf(document, "ping").schema.properties).toHaveProperty("zen");
    expect(readDocument(document, "pong")).toEqual({
      outcome: "unreadable",
      detail: "The file documents 2 webhooks, but none that is named pong.",
    });
    expect(readingOf({ openapi: "3.1.0", webhooks: { newEvent: webhook(object({ a: {} })) } }, "order.paid").name).toBe("newEvent");
  });

  it("is read for one type alone: those of all webhooks together are more than are read", () => {
    const deep = (depth: number): object =>
      depth === 0 ? {} : object(Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [n, deep(depth - 1)])));
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`hook-${n}`, webhook(deep(4))]));
    expect(readingOf({ openapi: "3.1.0", webhooks: many }, "hook.29").notes).toEqual([]);
  });
});

it("keeps a schema's outermost fields, where it has too many, and one that is only required", () => {
  const schema: FieldSchema = {
    ...{ type: "object", title: "x", required: ["id", "a"] },
    properties: {
      a: { type: "object", properties: { deep: { type: "string" }, more: {} } },
      b: { type: "array", items: { type: "number" } },
    },
  };
  expect(outermost(schema, 100)).toEqual({
    schema: {
      ...{ type: "object", required: ["id", "a"] },
      properties: {
        a: { type: "object", properties: { deep: { type: "string" }, more: {} } },
        b: { type: "array", items: { type: "number" } },
        id: {},
      },
    },
    leftOut: false,
  });
  expect(outermost(schema, 5)).toEqual({
    schema: {
      ...{ type: "object", required: ["id", "a"] },
      properties: { a: { type: "object", properties: { deep: { type: "string" } } }, b: { type: "array" }, id: {} },
    },
    leftOut: true,
  });
});

it("takes the part of a schema that describes the data", () => {
  const inner = object({ id: { type: "string" } });
  expect(dataPart(object({ data: object({ object: inner }) }) as never, "data.object")).toEqual(inner);
  expect(dataPart(inner as never, "data")).toEqual(inner);
});

it("tells whole numbers by their digits", () => {
  const types = (parseExact('[1, 1.5, 1.0, 12345678901234567890123, 1.10, null, [], {}, "", true]') as unknown[]).map(typeOfValue);
  expect(types).toEqual(["integer", "number", "integer", "integer", "number", "null", "array", "object", "string", "boolean"]);
});
