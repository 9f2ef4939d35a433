import { expect, test } from "vitest";
import { curlExample } from "#lib/client/format/requests/curl-example";
import { fieldLines, typeWords } from "#lib/client/format/schema-labels";

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
  expect(lines.map(({ name, always }) => [name, always])).toEqual([
    ["data", true],
    ["data[].id", true],
    ["one", false],
    ["one.id", true],
  ]);
});

test("an example is a command that a shell takes, quotes in its body too", () => {
  const operation = { operationId: "x", tags: [], summary: "", "x-roles": [], responses: {} };
  const parameters = [
    { name: "id", in: "path" as const, required: true, schema: {}, example: "evt 1" },
    { name: "type", in: "query" as const, required: false, schema: {}, example: ["a", "b"] },
  ];
  const requestBody = { required: true, content: { "application/json": { schema: {}, example: { name: "it's" } } } };
  expect(curlExample("http://x", "post", "/events/{id}", { ...operation, parameters, requestBody })).toBe(
    [
      "curl -X POST 'http://x/events/evt%201?type=a&type=b'",
      '  -H "Authorization: Bearer $SIGNALBOX_KEY"',
      "  -H 'Content-Type: application/json'",
      "  -d '{\"name\":\"it'\\''s\"}'",
    ].join(" \\\n"),
  );
});
