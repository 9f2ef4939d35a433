import { expect, test } from "vitest";
import { exampleOf, fieldLines, typeWords } from "#lib/client/format/api-schema";
import type { JsonSchema } from "#lib/contracts/api/openapi";

test("a schema is told in words", () => {
  expect(typeWords({ type: ["string", "null"] })).toBe("text or null");
  expect(typeWords({ anyOf: [{ $ref: "#/components/schemas/Event" }, { type: "null" }] })).toBe("Event or null");
  expect(typeWords({ type: "array", items: { $ref: "#/components/schemas/Event" } })).toBe("list of Event");
  expect(typeWords({ type: "string", enum: ["a", "b"] })).toBe('"a", "b"');
  expect(typeWords({ type: "integer", minimum: 1, maximum: 200 })).toBe("whole number 1 to 200");
  expect(typeWords({ type: "string", format: "date-time" })).toBe("time, ISO 8601");
  expect(typeWords({})).toBe("anything");
});

test("fields within fields are lines of their own, by their path", () => {
  const inner = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const lines = fieldLines({ type: "object", properties: { data: { type: "array", items: inner }, one: inner }, required: ["data"] });
  expect(lines.map(({ path, always }) => [path, always])).toEqual([
    ["data", true],
    ["data[].id", true],
    ["one", false],
    ["one.id", true],
  ]);
});

test("a field says its bounds and the value that stands where none is given", () => {
  const [line] = fieldLines({ type: "object", properties: { name: { type: "string", maxLength: 80, default: "all" } } });
  expect(line?.bounds).toBe('at most 80 characters, default "all"');
});

test("an example fits its schema: nested schemas, lists, choices and times", () => {
  const event: JsonSchema = {
    type: "object",
    properties: {
      id: { type: "string" },
      at: { type: "string" },
      state: { enum: ["pending"] },
      next: { $ref: "#/components/schemas/Event" },
    },
  };
  const page = {
    type: "object",
    properties: { data: { type: "array", items: { $ref: "#/components/schemas/Event" } }, n: { type: ["integer", "null"] } },
  };
  const { data, n } = exampleOf(page, { Event: event }) as { data: Record<string, unknown>[]; n: number };
  expect(n).toBe(1);
  expect(data[0]).toMatchObject({ id: "id_1", at: expect.stringMatching(/^\d{4}-/), state: "pending" });
  // A schema that holds itself ends.
  expect(JSON.stringify(data).length).toBeLessThan(1000);
});
