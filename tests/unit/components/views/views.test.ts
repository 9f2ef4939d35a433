import { describe, expect, it } from "vitest";
import { medianStay, stageSince } from "#components/views/board/board-column";
import { fieldForm, fieldLabel, groupFields } from "#components/views/detail/field-labels";
import { changesBetween } from "#components/views/time/change-list";
import { byPlatformTime, momentIndex, momentWords } from "#components/views/time/moments";
import { fieldId, lineOf, runDuration, shareWords, sizeWords, timeOf } from "#components/views/view-labels";
import type { EventSummary } from "#lib/contracts/events/events";
import type { ViewRecord } from "#lib/contracts/views";
import { viewRecord } from "#tests/support/view-record";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const field = (value: unknown, at = "2026-11-21T08:00:00.000Z") => ({ value, eventId: "evt_1", at });
const record = (fields: ViewRecord["fields"], state = "open") => viewRecord({ fields, state });
const event = (id: string, created: string, receivedAt = created) => ({ id, created, receivedAt }) as EventSummary;

describe("values of any shape in one line", () => {
  it("shows an object as JSON and cuts a long text", () => {
    expect(lineOf({ a: 1 })).toBe('{"a":1}');
    expect(lineOf("x".repeat(500))).toHaveLength(201);
    expect(lineOf(false)).toBe("false");
    expect(lineOf("")).toBeNull();
  });

  it("keeps an id whole however long it is, and takes no object for an id", () => {
    expect(fieldId(record({ documentId: field("d".repeat(400)) }), "documentId")).toHaveLength(400);
    expect(fieldId(record({ documentId: field({ id: 1 }) }), "documentId")).toBeNull();
  });

  it("reads a moment from ISO 8601, Unix seconds and Unix milliseconds, and from nothing else", () => {
    const iso = new Date(NOW).toISOString();
    expect([timeOf(iso), timeOf(NOW / 1000), timeOf(NOW)]).toEqual([iso, iso, iso]);
    expect([timeOf("soon"), timeOf(3600), timeOf(Number.MAX_VALUE), timeOf(null)]).toEqual([null, null, null, null]);
  });

  it("says shares and sizes in their units and leaves what is neither", () => {
    expect([shareWords(0.967), shareWords(97), shareWords("very high")]).toEqual(["97%", "97%", "very high"]);
    expect([sizeWords(999), sizeWords(1_250_000), sizeWords("big")]).toEqual(["999 bytes", "1.3 MB", "big"]);
  });

  it("takes a run's duration from the platform, else from its start and end", () => {
    const times = { startedAt: field("2026-11-21T08:00:00Z"), endedAt: field("2026-11-21T08:00:04Z") };
    expect(runDuration(record({ ...times, durationMs: field(320) }))).toBe(320);
    expect(runDuration(record(times))).toBe(4000);
    expect(runDuration(record({ startedAt: times.startedAt }))).toBeNull();
  });
});

describe("the facts of a record", () => {
  it("come in a reader's order, the platform's own fields apart and a pipeline's stages left out", () => {
    const { known, rest } = groupFields(["completedAt", "data.source", "stage:Inbox", "state", "novel", "title"]);
    expect(known).toEqual(["state", "title", "completedAt", "novel"]);
    expect(rest).toEqual(["data.source"]);
    expect([fieldLabel("processedAt"), fieldLabel("data.source")]).toEqual(["Processed at", "source"]);
  });
});

describe("the as-of slider", () => {
  const moment = (at: string, events = 1) => ({ at, events, titles: ["Task created"], failed: false });
  const moments = [moment("2026-11-21T01:00:00.000Z"), moment("2026-11-21T03:00:00.000Z", 3)];

  it("stands on the last moment that is not after the one asked for, and beyond all of them for now", () => {
    expect(momentIndex(moments, "2026-11-21T02:59:00Z")).toBe(0);
    expect(momentIndex(moments, "2026-11-21T03:00:00Z")).toBe(1);
    expect(momentIndex(moments, "2001-01-01")).toBe(0);
    expect(momentIndex(moments, null)).toBe(2);
    expect(momentIndex(moments, "nonsense")).toBe(2);
  });

  it("says what happened at a moment, and how much more", () => {
    expect(moments.map(momentWords)).toEqual(["Task created", "Task created and 2 more"]);
  });

  it("orders events by the platform's clock, not by their arrival", () => {
    const late = event("late", "2026-11-21T01:00:00.000Z", "2026-11-21T09:00:00.000Z");
    expect(byPlatformTime([late, event("new", "2026-11-21T02:00:00.000Z")]).map(({ id }) => id)).toEqual(["new", "late"]);
  });
});

describe("the words of a field", () => {
  it("spell out a field that has none yet, and tell a time and a duration by its name", () => {
    expect([fieldLabel("archivedAt"), fieldLabel("reviewMs"), fieldLabel("data.reviewMs")]).toEqual([
      "Archived at",
      "Review ms",
      "reviewMs",
    ]);
    expect([fieldForm("archivedAt"), fieldForm("reviewMs"), fieldForm("data.createdAt")]).toEqual(["time", "duration", "text"]);
  });
});

describe("what changed between two moments", () => {
  const at = (value: unknown, eventId: string) => ({ value, eventId, at: "2026-11-21T08:00:00.000Z" });

  it("names what another event set, and tells a new value from one that was only set again", () => {
    const before = { fields: { stage: at("Inbox", "e1"), title: at("Check", "e1"), team: at("A", "e1") } };
    const after = { fields: { stage: at("Review", "e2"), title: at("Check", "e2"), team: at("A", "e1"), assignee: at("Ada", "e3") } };
    expect(changesBetween(before, after).map(({ field, before: was, changed }) => [field, was?.value ?? null, changed])).toEqual([
      ["assignee", null, true],
      ["stage", "Inbox", true],
      ["title", "Check", false],
    ]);
  });

  it("takes everything for new where nothing had been heard before", () => {
    expect(changesBetween(null, { fields: { stage: at("Inbox", "e1") } })).toMatchObject([{ field: "stage", before: null, changed: true }]);
  });
});

describe("the board", () => {
  it("counts a task's stay from its last move, else from its making", () => {
    const made = field("2026-11-21T09:00:00.000Z");
    const moved = field("2026-11-21T11:00:00.000Z");
    expect(stageSince(record({ createdAt: made, stageSince: moved }))).toBe(moved.value);
    expect(stageSince(record({ createdAt: made }))).toBe(made.value);
    expect(stageSince(record({}))).toBeNull();
  });

  it("leaves completed tasks out of the median stay", () => {
    const since = (time: string, state?: string) => record({ stageSince: field(`2026-11-21T${time}:00.000Z`) }, state);
    expect(medianStay([since("11:00"), since("10:00"), since("08:00"), since("01:00", "completed")], NOW)).toBe(2 * 3_600_000);
    expect(medianStay([since("01:00", "completed")], NOW)).toBeNull();
  });
});
