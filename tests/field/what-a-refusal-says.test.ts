import { expect, it } from "vitest";
import * as z from "zod/mini";
import { parse } from "#lib/api/read-request";
import { filterShape } from "#lib/contracts/api/parameters";
import { EVENT_FILTERS } from "#lib/contracts/events/event-filters";
import { ISSUE_FILTERS } from "#lib/contracts/issue-filters";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { readEnvelope } from "#lib/platform/read-event";

// What a refused request, event or parameter is told, seen on a running installation.

const notAnEvent = (fields: string) => readEnvelope(Buffer.from(`{"type":"a","created":1,"data":{},${fields}}`), {});

it.each([
  ["id must be text, not a number", '"id":12345678901234567890'],
  ["id must be text, not a number", '"id":1.10'],
  ["data must be an object, not a number", '"id":"evt_1","data":1e400'],
  ["id must have at most 400 characters", `"id":"${"x".repeat(401)}"`],
  ["id must not be empty", '"id":""'],
  ["created must be a whole number", '"id":"evt_1","created":1.5'],
  ["id is missing", '"more":1'],
])("an event is refused in words: %s", (detail, fields) => {
  expect(notAnEvent(fields)).toEqual({ outcome: "invalid_envelope", detail });
});

it("a payload that differs from the documentation is noted in words", () => {
  expect(shapeNotes("document.processed", { organizationId: "acme", status: true, metadata: [] })).toEqual([
    "data.documentId is missing",
    "data.organizationId must start with org_",
    "data.status must be text, not true",
    "data.metadata must be an object, not a list",
  ]);
});

it.each([
  ["yes or no", EVENT_FILTERS, { everFailed: "maybe" }, "everFailed: must be true or false"],
  ["one value of a list", EVENT_FILTERS, { state: "done" }, /^state: must be one of pending, /],
  ["the second of a list", EVENT_FILTERS, { state: ["failed", "done"] }, /^state\.1: must be one of pending, /],
  ["one choice", ISSUE_FILTERS, { origin: "mars" }, /^origin: must be one of \w+, /],
])("a parameter that is refused says what it takes: %s", (_, filters, query, words) => {
  expect(() => parse(filterShapeOf(filters), query)).toThrow(words);
});

const filterShapeOf = (filters: Parameters<typeof filterShape>[0]) => z.object(filterShape(filters));
