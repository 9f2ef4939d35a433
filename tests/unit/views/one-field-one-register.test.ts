import { describe, expect, it } from "vitest";
import { type ViewKind, viewKind } from "#lib/contracts/views";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { type FactName, FIELD_NAMES } from "#lib/platform/field-names";
import { DEFINITIONS } from "#lib/views/definitions";
import { recordOf } from "#lib/views/fold/fold";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { canonicalText } from "#lib/views/fold/register";
import { foldRecord, permutations } from "#tests/support/fold-records";

const IDS = { documentId: "x", taskId: "x", pipelineId: "x", automationId: "x", runId: "x", integrationId: "x" };

const event = (n: number, type: string, created: number, data: Record<string, unknown> = {}): FoldableEvent => ({
  eventId: `e${n}`,
  type,
  created,
  data: { ...IDS, ...data },
});

/** The values of the record `x`, which must be the same in every order of the events with all of them repeated. */
function valuesOf(kind: ViewKind, events: FoldableEvent[]): Record<string, unknown> {
  const folded = permutations(events).map((order) => foldRecord(kind, "x", [...order, ...order]));
  expect(new Set(folded.map(canonicalText)).size).toBe(1);
  const { fields } = recordOf(kind, "x", folded[0] ?? {});
  return Object.fromEntries(Object.entries(fields).map(([field, { value }]) => [field, value]));
}

describe("one payload field has one place in a record", () => {
  it("writes the status of every type of document event to the same field", () => {
    const values = valuesOf("document", [
      event(1, "document.uploaded", 1, { status: "uploaded" }),
      event(2, "document.processed", 2, { status: "completed" }),
    ]);
    expect(values).toMatchObject({ state: "processed", status: "completed" });
    expect(values).not.toHaveProperty(["data.status"]);
  });

  it("lets a later type that is not about the field write it all the same", () => {
    expect(
      valuesOf("document", [
        event(1, "document.processed", 1, { status: "completed" }),
        event(2, "document.deleted", 2, { status: "gone" }),
      ]),
    ).toMatchObject({
      status: "gone",
    });
    expect(
      valuesOf("task", [event(1, "task.assigned", 1, { assignee: "Ada" }), event(2, "task.completed", 2, { assignee: { name: "Bo" } })]),
    ).toMatchObject({
      assignee: "Bo",
    });
  });

  it("takes a word of two meanings for the known field only in a type that is about it, and repeats it nowhere", () => {
    const values = valuesOf("task", [
      event(1, "task.created", 1, { stage: "Inbox", label: "urgent" }),
      event(2, "task.assigned", 2, { assignee: "Ada", from: "Bo", to: "Ada", userId: "u1" }),
    ]);
    expect(values).toMatchObject({ stage: "Inbox", assignee: "Ada" });
    for (const field of ["classification", "data.label", "data.from", "data.to", "data.userId"]) expect(values).not.toHaveProperty([field]);
  });

  it.each(
    viewKind.options.flatMap((kind) => EVENT_TYPES.filter((type) => type in DEFINITIONS[kind].types).map((type) => [kind, type] as const)),
  )("never repeats a known field of a %s among the free fields of %s", (kind, type) => {
    const { types, id } = DEFINITIONS[kind];
    const facts = Object.values(types).flatMap(({ set = {} }) => Object.values(set).filter((fact) => fact !== "created"));
    const paths = [...new Set<FactName>([...facts, ...id])].flatMap((fact): readonly string[] => FIELD_NAMES[fact]);
    const top = paths.filter((path) => !path.includes("."));
    for (const path of top) {
      const fields = Object.keys(foldRecord(kind, "x", [event(1, type, 1, { [path]: IDS[path as keyof typeof IDS] ?? "value" })]));
      expect(fields, path).not.toContain(`data.${path}`);
    }
  });

  it.each(viewKind.options)("has no path of a %s that two known fields share", (kind) => {
    const facts = new Map(Object.values(DEFINITIONS[kind].types).flatMap(({ set = {} }) => Object.entries(set)));
    const paths = [...new Set(facts.values())].flatMap((fact): readonly string[] => (fact === "created" ? [] : FIELD_NAMES[fact]));
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
  });
});

describe("success clears the failure before it", () => {
  const failure = { error: { code: "ocr_failed", message: "The page is blank." } };

  it.each([
    ["document", "document.error", "document.processed"],
    ["document", "document.error", "document.uploaded"],
    ["document", "document.error", "document.deleted"],
    ["automation", "automation.error", "automation.completed"],
    ["automation", "automation.error", "automation.triggered"],
    ["run", "automation.error", "automation.completed"],
    ["integration", "integration.error", "integration.connected"],
    ["integration", "integration.error", "integration.token_refresh"],
  ] as const)("of a %s: %s, then %s", (kind, failed, success) => {
    const cleared = valuesOf(kind, [event(1, failed, 1, failure), event(2, success, 2)]);
    expect(cleared).not.toHaveProperty("errorCode");
    expect(cleared).not.toHaveProperty("errorMessage");
    expect(cleared).not.toHaveProperty("failedAt");
    const failedAgain = valuesOf(kind, [event(1, failed, 1, failure), event(2, success, 2), event(3, failed, 3, { errorCode: "again" })]);
    expect(failedAgain).toMatchObject({ errorCode: "again" });
    expect(failedAgain).not.toHaveProperty("errorMessage");
    const overtaken = valuesOf(kind, [event(1, success, 1), event(2, failed, 2, failure)]);
    expect(overtaken).toMatchObject({ errorCode: "ocr_failed", errorMessage: "The page is blank." });
  });

  it("keeps the error of an integration that was disconnected after it", () => {
    expect(valuesOf("integration", [event(1, "integration.error", 1, failure), event(2, "integration.disconnected", 2)])).toMatchObject({
      state: "disconnected",
      errorCode: "ocr_failed",
    });
  });

  it("does not take the message of a success for an error", () => {
    const values = valuesOf("document", [event(1, "document.processed", 1, { message: "All pages read", code: 0 })]);
    expect(values).not.toHaveProperty("errorMessage");
    expect(values).not.toHaveProperty("errorCode");
  });

  it.each(viewKind.options)("of a %s by fields whose own clearing clears as much", (kind) => {
    const types = Object.values(DEFINITIONS[kind].types);
    const tellers = (field: string) => types.filter(({ set = {} }) => set[field] === "created");
    for (const { clears = [] } of types)
      for (const field of clears)
        for (const teller of tellers(field)) expect(clears).toEqual(expect.arrayContaining([...(teller.clears ?? [])]));
  });
});
