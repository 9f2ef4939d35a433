import { describe, expect, test } from "vitest";
import { sandboxScenario } from "#lib/contracts/sandbox";
import { describeType, EVENT_TYPES, shapeNotes } from "#lib/platform/event-catalogue";
import { envelopeSchema } from "#lib/platform/read-event";
import { sampleEvents } from "#lib/sandbox/payloads";
import { buildScenario, generateTraffic } from "#lib/sandbox/scenarios";

const START = Date.UTC(2026, 10, 21, 9, 30, 0, 400);
const tell = (scenario: (typeof sandboxScenario.options)[number], pace = 700, seed = 7) =>
  buildScenario(scenario, { seed, startAt: START, pace });

describe.each(sandboxScenario.options)("the scenario %s", (scenario) => {
  test("consists of envelopes of the catalogue that fit the documented shape", () => {
    for (const { envelope } of tell(scenario)) {
      expect(envelopeSchema.safeParse(envelope).error).toBeUndefined();
      expect(describeType(envelope.type)).not.toBeNull();
      expect(shapeNotes(envelope.type, envelope.data)).toEqual([]);
    }
  });

  test.each([0, 700, 10_000])(
    "creates its events in order, each in a second of its own, none before its time, at a pace of %i ms",
    (pace) => {
      const events = tell(scenario, pace);
      const created = events.map(({ envelope }) => envelope.created);
      expect(created).toEqual([...new Set(created)].sort((a, b) => a - b));
      for (const { envelope, afterMs } of events) expect(envelope.created * 1000).toBeLessThanOrEqual(START + afterMs);
    },
  );
});

test("the same seed tells the same scenario and another seed tells another", () => {
  expect(tell("document_to_done")).toEqual(tell("document_to_done"));
  expect(tell("document_to_done", 700, 8)).not.toEqual(tell("document_to_done"));
});

test("a document's scenario follows one document and one task through all four stages", () => {
  const events = tell("document_to_done").map(({ envelope }) => envelope);
  expect(events.map(({ type }) => type)).toEqual([
    "document.uploaded",
    "document.processed",
    "task.created",
    "ai.classification_complete",
    "task.assigned",
    "pipeline.stage_changed",
    "pipeline.stage_changed",
    "automation.triggered",
    "automation.completed",
    "pipeline.stage_changed",
    "task.completed",
  ]);
  const named = (field: string) => new Set(events.map(({ data }) => data[field]).filter((value) => value !== undefined));
  expect(named("documentId").size).toBe(1);
  expect(named("taskId").size).toBe(1);
  expect([...named("pipelineId")]).toEqual(["pipe_invoices"]);
  expect([...named("toStage")]).toEqual(["Review", "Approval", "Paid"]);
});

test("there is a sample of each of the 16 types, and document.processed has the documented fields alone", () => {
  const samples = sampleEvents(3);
  expect(samples.map(({ type }) => type)).toEqual(EVENT_TYPES);
  expect(samples).toHaveLength(16);
  for (const { type, data } of samples) expect(shapeNotes(type, data)).toEqual([]);
  const processed = samples.find(({ type }) => type === "document.processed");
  expect(Object.keys(processed?.data ?? {})).toEqual(["documentId", "organizationId", "status", "metadata"]);
  expect(processed?.data.status).toBe("completed");
});

const END = Date.UTC(2026, 10, 21, 9, 30) / 1000;
const traffic = (seed = 7) => generateTraffic({ seed, documents: 1000, days: 14, endAt: END });

test("a thousand documents over two weeks: envelopes in order, each id once, none from the future, none too old", () => {
  const events = traffic();
  expect(events.length).toBeGreaterThan(5000);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  for (const event of events) expect(envelopeSchema.safeParse(event).success).toBe(true);
  const created = events.map((event) => event.created);
  expect(created).toEqual([...created].sort((a, b) => a - b));
  expect(created.at(-1)).toBeLessThanOrEqual(END);
  expect(created[0]).toBeGreaterThanOrEqual(END - 14 * 86_400);
});

test("the same seed tells the same days, another seed others", () => {
  expect(traffic()).toEqual(traffic());
  expect(traffic(8)).not.toEqual(traffic());
});

test("most documents run through, some wait, some fail", () => {
  const count = (type: string) => traffic().filter((event) => event.type === type).length;
  expect(count("task.completed")).toBeGreaterThan(450);
  expect(count("task.completed")).toBeLessThan(count("task.created") * 0.8);
  for (const type of ["document.error", "automation.error", "document.deleted", "integration.error"])
    expect(count(type), type).toBeGreaterThan(0);
});
