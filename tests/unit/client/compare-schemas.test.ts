import { expect, it } from "vitest";
import { compareSchemas } from "#lib/client/format/compare-schemas";

it("tells what one schema has and the other has not, or has otherwise, at any depth", () => {
  const before = {
    properties: {
      same: { type: "string" as const },
      status: { type: "string" as const, enum: ["a", "b"] },
      gone: { type: "object" as const, properties: { inner: {} } },
      list: { type: "array" as const, items: { type: "string" as const } },
    },
    required: ["same"],
  };
  const after = {
    properties: {
      same: { type: "string" as const },
      status: { type: "string" as const, examples: ["a", "b", "c"] },
      list: { type: "array" as const, items: { type: ["string" as const, "null" as const] } },
      "new.key": { type: "integer" as const },
    },
    required: ["same", "status"],
  };
  expect(compareSchemas(before, after)).toEqual([
    { path: 'data."new.key"', before: null, after: "integer" },
    { path: "data.gone", before: "object", after: null },
    { path: "data.gone.inner", before: "anything", after: null },
    { path: "data.list[]", before: "string", after: "string or null" },
    { path: "data.status", before: '"a" or "b"', after: "string, required" },
  ]);
  expect(compareSchemas(after, after)).toEqual([]);
});
