import { describe, expect, it } from "vitest";
import { parseExact } from "#lib/contracts/exact-json";
import { dataPart, findDocumented, readDocument, typeOfValue } from "#lib/contracts/schemas/document";

const schemaOf = (document: object) => {
  const read = readDocument(document);
  if (read.outcome === "unreadable") throw new Error(read.detail);
  return read.types[0]?.schema;
};

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
    const wide = (depth: number): object => object(depth === 0 ? {} : { a: { $ref: "#/$defs/d" }, b: { $ref: "#/$defs/d" } });
    const many = { ...object(Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`f${n}`, { $ref: "#/$defs/d" }]))) };
    expect(readDocument({ ...many, $defs: { d: { ...wide(1), anyOf: [{ $ref: "#" }] } } })).toMatchObject({ outcome: "unreadable" });
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

  it("documents a type for each of its webhooks, found by the type's name in any spelling", () => {
    const read = readDocument(document);
    if (read.outcome === "unreadable") throw new Error(read.detail);
    expect(read.types.map(({ name }) => name)).toEqual(["branch-protection-rule-created", "ping"]);
    expect(findDocumented(read.types, "branch_protection_rule.created")?.schema.properties).toHaveProperty("rule");
    expect(findDocumented(read.types, "ping")?.schema.properties).toHaveProperty("zen");
    expect(findDocumented(read.types, "pong")).toBeNull();
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
