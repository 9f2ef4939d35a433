import pg from "pg";
import { beforeAll, expect, it, vi } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { readEvent } from "#lib/flows/events/read-event";
import { NO_MAPPING } from "#lib/platform/field-names";
import { DEFINITIONS, modeOf } from "#lib/views/definitions";
import { applyTouch } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent, type Touch } from "#lib/views/fold/plan";
import { compareOrder, type Registers } from "#lib/views/fold/register";
import { clearingRegister } from "#lib/views/fold/settled-fields";
import { mulberry32 } from "#tests/chaos/driver";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { append, drainInbox } from "#tests/support/log-writer";
import { atSize } from "#tests/support/sample";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = 900;
const DAY_S = 86_400;
const TYPES = [
  "task.created",
  "pipeline.stage_changed",
  "task.completed",
  "automation.triggered",
  "automation.completed",
  "automation.error",
] as const;

const random = mulberry32(11);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const begin = Math.floor(Date.now() / 1000) - 5 * DAY_S;

/** Events of one pipeline and one automation, some of the same second. */
const events: FoldableEvent[] = Array.from({ length: EVENTS }, (_, n) => ({
  eventId: `evt_${n}`,
  type: pick(TYPES),
  created: begin + Math.floor(n / 2) * 40,
  data: {
    taskId: `task_${n % 90}`,
    pipelineId: "pip_1",
    automationId: "aut_1",
    runId: `run_${n % 90}`,
    toStage: pick(["Inbox", "Review", "Done"]),
    ...(random() < 0.2 ? { pipelineName: `Pipeline ${n}`, automationName: `Automation ${n}` } : {}),
    ...(random() < 0.5 ? { error: { code: `e${n}`, message: "m" } } : {}),
  },
}));

let workspaceId: WorkspaceId;

beforeAll(async () => {
  const made = await makeWorkspace();
  workspaceId = made.workspaceId;
  const late = (each: FoldableEvent) => each.created + (random() < 0.05 ? random() * 3 * DAY_S : random() * 5);
  const arrivals = events.map((event) => ({ event, at: new Date(Math.min(Date.now(), late(event) * 1000)) }));
  for (const { event, at } of arrivals.sort((a, b) => a.at.getTime() - b.at.getTime()))
    await append(workspaceId, made.sourceId, [event], at);
  await drainInbox();
}, 120_000);

const touchesOf = (event: FoldableEvent): Touch[] => {
  const plan = planEvent(event, NO_MAPPING);
  return plan.outcome === "touches" ? plan.touches : [];
};

/** A record as all events, or those before a touch in the writers' order, made it. */
function foldUpTo({ kind, id, writes }: Touch, everything: boolean): Registers {
  const own = writes[0]?.register;
  let registers: Registers = {};
  for (const each of events.flatMap(touchesOf)) {
    const writer = each.writes[0]?.register;
    if (each.kind !== kind || each.id !== id || !own || !writer || (!everything && compareOrder(writer, own) >= 0)) continue;
    registers = applyTouch(registers, each);
  }
  return registers;
}

/** The effects of a touch by the whole history: `field verdict value-before event-before`. */
function effectsByWhole(touch: Touch): string[] {
  const [before, now] = [foldUpTo(touch, false), foldUpTo(touch, true)];
  const after = applyTouch(before, touch);
  const definition = DEFINITIONS[touch.kind];
  const ended = Object.keys(before).filter((field) => !after[field] && !field.includes(":") && !field.startsWith("data."));
  const own = touch.writes[0]?.register;
  return [...touch.writes, ...ended.flatMap((field) => (own ? [{ field, register: own }] : []))].flatMap(({ field, register }) => {
    const stands = now[field] ?? clearingRegister(definition, now, field);
    if (!stands) return [];
    const verdict = stands.id === register.id ? "stands" : (after[field]?.id ?? register.id) === register.id ? "overtaken" : "passed_over";
    if (verdict === "passed_over" && modeOf(definition, field) === "first") return [];
    return [`${touch.kind} ${touch.id} ${field} ${verdict} ${JSON.stringify(before[field]?.v ?? null)} ${before[field]?.id ?? "nothing"}`];
  });
}

it("shows what stood before an event as the whole history makes it, and reads a small part of it", async () => {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  const read: number[] = [];
  let whole = 0;
  for (let n = 3; n < EVENTS; n += atSize(9, 45)) {
    const event = events[n] as FoldableEvent;
    spy.mockClear();
    const page = await readEvent(workspaceId, event.eventId);
    const bodies = spy.mock.calls.filter(([text]) => typeof text === "string" && text.includes("SELECT e.seq, e.body FROM unnest"));
    read.push(bodies.reduce((sum, [, values]) => sum + ((values as unknown as unknown[][])[0]?.length ?? 0), 0));
    const shown = (page?.effects ?? []).map(
      ({ kind, resourceId, field, verdict, before }) =>
        `${kind} ${resourceId} ${field} ${verdict} ${JSON.stringify(before?.value ?? null)} ${before?.eventId ?? "nothing"}`,
    );
    expect(shown.sort(), event.eventId).toEqual(touchesOf(event).flatMap(effectsByWhole).sort());
    expect(page?.partial).toBe(false);
    whole += events
      .slice(0, n)
      .flatMap(touchesOf)
      .filter(({ kind }) => kind === "pipeline" || kind === "automation").length;
  }
  spy.mockRestore();
  const median = read.sort((a, b) => a - b)[Math.floor(read.length / 2)] ?? 0;
  figure(`an event's page reads ${median} bodies, at most ${read.at(-1)}; of histories of ${Math.round(whole / read.length)} on average`);
  expect(median).toBeLessThan(60);
}, 120_000);
