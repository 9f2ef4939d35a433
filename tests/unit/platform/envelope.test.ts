import { describe, expect, test } from "vitest";
import { readEnvelope } from "#lib/platform/envelope";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { NO_MAPPING } from "#lib/platform/field-names";

const read = (value: unknown) =>
  readEnvelope(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)), NO_MAPPING);

describe("a verified body that is no event says why, field by field", () => {
  test.each([
    [
      { id: 42, type: "document.processed", created: "now" },
      "id: expected string, received number; created: expected number, received string; data: expected record, received undefined",
    ],
    [[], "body: expected object, received array"],
    [{ id: "evt_\u0000", type: "x", created: 1, data: {} }, "id: contains characters that identifiers can't contain"],
  ])("%j", (value, detail) => expect(read(value)).toEqual({ outcome: "invalid_envelope", detail }));

  test("and what is no JSON says that", () => expect(read("{not json")).toMatchObject({ outcome: "malformed_json" }));
});

test("where data differs from the documented shape is told, and refuses nothing", () => {
  const [note] = shapeNotes("document.processed", { documentId: 7 });
  expect(note).toBe("data.documentId: expected string, received number");
  expect(shapeNotes("a.type.nobody.knows", { any: "thing" })).toEqual([]);
});
