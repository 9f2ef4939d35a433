import { describe, expect, it } from "vitest";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { canonicalText, type Register, type Registers } from "#lib/views/fold/register";
import { repaired } from "#lib/views/stored-record";
import { foldRecord } from "#tests/support/fold-records";

const register = (v: unknown, created: number, rank: number, id: string): Register => ({ v, at: created, rank, id });

describe("a record that was stored before today's rules", () => {
  it("with 100,000 free fields comes to what its events make today", () => {
    const events = Array.from(
      { length: 3000 },
      (_, n): FoldableEvent => ({
        eventId: `e${n}`,
        type: "document.uploaded",
        created: n,
        data: { documentId: "x", ...Object.fromEntries(Array.from({ length: 39 }, (_each, m) => [`f${n}_${m}`, n])) },
      }),
    );
    const stored: Registers = {
      state: register("uploaded", 2999, 10, "e2999"),
      uploadedAt: register(new Date(2_999_000).toISOString(), 2999, 10, "e2999"),
    };
    for (const { eventId, created, data } of events)
      for (const [name, value] of Object.entries(data))
        if (name !== "documentId") stored[`data.${name}`] = register(value, created, 10, eventId);
    expect(Object.keys(stored).length).toBeGreaterThan(100_000);
    expect(canonicalText(repaired("document", stored))).toBe(canonicalText(foldRecord("document", "x", events)));
  });

  it("has each payload field in its one place, by the order of its writers, and no error that is over", () => {
    const stored: Registers = {
      state: register("processed", 3, 20, "e3"),
      uploadedAt: register("1970-01-01T00:00:01.000Z", 1, 10, "e1"),
      "data.status": register("uploaded", 1, 10, "e1"),
      failedAt: register("1970-01-01T00:00:02.000Z", 2, 20, "e2"),
      errorCode: register("blank", 2, 20, "e2"),
      status: register("completed", 3, 20, "e3"),
      processedAt: register("1970-01-01T00:00:03.000Z", 3, 20, "e3"),
      "data.message": register("done", 3, 20, "e3"),
      "data.colour": register("red", 3, 20, "e3"),
    };
    const events: FoldableEvent[] = [
      { eventId: "e1", type: "document.uploaded", created: 1, data: { documentId: "x", status: "uploaded" } },
      { eventId: "e2", type: "document.error", created: 2, data: { documentId: "x", code: "blank" } },
      {
        eventId: "e3",
        type: "document.processed",
        created: 3,
        data: { documentId: "x", status: "completed", message: "done", colour: "red" },
      },
    ];
    expect(repaired("document", stored)).toEqual(foldRecord("document", "x", events));
  });

  it("gets what a type was not about at its field, by the best spelling, and keeps the parts that nobody knows", () => {
    const stored: Registers = {
      state: register("completed", 2, 30, "e2"),
      completedAt: register("1970-01-01T00:00:02.000Z", 2, 30, "e2"),
      assignee: register("Ada", 1, 20, "e1"),
      assignedAt: register("1970-01-01T00:00:01.000Z", 1, 20, "e1"),
      "data.assignee.role": register("lead", 1, 20, "e1"),
      "data.assignee.id": register("u1", 1, 20, "e1"),
      "data.assigneeId": register("u2", 2, 30, "e2"),
      "data.assigneeName": register("Bo", 2, 30, "e2"),
      "data.team": register({ name: "Red", size: 3 }, 2, 30, "e2"),
    };
    const events: FoldableEvent[] = [
      { eventId: "e1", type: "task.assigned", created: 1, data: { taskId: "x", assignee: { name: "Ada", role: "lead", id: "u1" } } },
      {
        eventId: "e2",
        type: "task.completed",
        created: 2,
        data: { taskId: "x", assigneeId: "u2", assigneeName: "Bo", team: { name: "Red", size: 3 } },
      },
    ];
    expect(repaired("task", stored)).toEqual(foldRecord("task", "x", events));
  });

  it("stays as it is when it is in today's form", () => {
    const events: FoldableEvent[] = [
      {
        eventId: "e1",
        type: "task.assigned",
        created: 1,
        data: { taskId: "x", assignee: { name: "Ada", role: "lead" }, task: { priority: "high" } },
      },
      {
        eventId: "e2",
        type: "task.assigned",
        created: 2,
        data: { taskId: "x", assignee: { role: "second" }, notes: "y".repeat(9000), user: "u" },
      },
    ];
    const folded = foldRecord("task", "x", events);
    expect(repaired("task", JSON.parse(canonicalText(folded)) as Registers)).toEqual(folded);
  });
});
