import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Effect, EventDetail, HistoryCoverage } from "#lib/contracts/events/events";
import type { Place } from "#lib/events/log/resource-log-store";
import { planFor } from "#lib/flows/processing/plan-delivery";
import { HISTORY_BYTES } from "#lib/flows/views/fold-history";
import type { SourceReading } from "#lib/platform/reading/source-reading";
import { baseAt, withBase } from "#lib/views/base/base";
import { findBase } from "#lib/views/base/base-store";
import { modeOf } from "#lib/views/definition/definition";
import { DEFINITIONS } from "#lib/views/definition/definitions";
import { clearingRegister } from "#lib/views/fold/cleared-fields";
import { applyTouch } from "#lib/views/fold/fold";
import { isFree } from "#lib/views/fold/free-fields";
import type { FoldableEvent, Touch } from "#lib/views/fold/plan";
import { compareOrder, type Register, type Registers } from "#lib/views/fold/register";
import { findRegisters, viewKeyText } from "#lib/views/view-store";
import { readEarlier } from "./read-earlier.ts";

/** Returns what an event did to the records, field by field, as the difference of two folds. @throws AppError `unavailable` */
export async function readEffects(
  workspaceId: WorkspaceId,
  event: FoldableEvent,
  place: Place,
  reading: SourceReading,
): Promise<EffectsRead> {
  const plan = planFor(event, reading);
  if (plan.outcome !== "touches" || plan.touches.length === 0) return { effects: [], partialHistories: [] };
  const registers = await findRegisters(plan.touches.map(({ kind, id }) => ({ workspaceId, kind, id })));
  const bytes = HISTORY_BYTES / plan.touches.length;
  const parts = plan.touches.map(async (touch) => {
    const now = registers.get(viewKeyText({ workspaceId, kind: touch.kind, id: touch.id }));
    if (!now) return [];
    const before = await readBefore(workspaceId, touch, place, now, bytes);
    const partial = before.coverage ? [{ kind: touch.kind, resourceId: touch.id, ...before.coverage }] : [];
    return [{ effects: effectsOf(touch, before, now), partial }];
  });
  const read = (await Promise.all(parts)).flat();
  return { effects: read.flatMap(({ effects }) => effects), partialHistories: read.flatMap(({ partial }) => partial) };
}

type EffectsRead = Pick<EventDetail, "effects" | "partialHistories">;
/** `unknown`: fields that an event which has left the log set later, so that their value before is unknown. */
type Before = { registers: Registers; coverage: HistoryCoverage | null; unknown: readonly string[] };

/** Returns the record as everything before the event in the writers' order made it. */
async function readBefore(workspaceId: WorkspaceId, touch: Touch, place: Place, now: Registers, bytes: number): Promise<Before> {
  const { kind, id, writes } = touch;
  const own = writes[0]?.register;
  if (!own) return { registers: {}, coverage: null, unknown: [] };
  const { registers, coverage } = await readEarlier(workspaceId, touch, own, { place, now, bytes });
  const base = await findBase(workspaceId, kind, id);
  if (!base) return { registers, coverage, unknown: [] };
  const then = baseAt(base, (register) => compareOrder({ ...own, ...register }, own) > 0);
  return { registers: withBase(kind, then, registers) ?? registers, coverage, unknown: then.unknown };
}

function effectsOf(touch: Touch, before: Before, now: Registers): Effect[] {
  const after = applyTouch(before.registers, touch);
  const definition = DEFINITIONS[touch.kind];
  const effectOf = (field: string, register: Register): Effect[] => {
    const stands = now[field] ?? clearingRegister(definition, now, field);
    // Not to have been the first is no effect.
    if (!stands || (modeOf(definition, field) === "first" && compareOrder(stands, register) < 0)) return [];
    const verdict = stands.id === register.id ? "stands" : (after[field]?.id ?? register.id) === register.id ? "overtaken" : "passed_over";
    return [
      {
        kind: touch.kind,
        resourceId: touch.id,
        field,
        value: register.v,
        before: sideOf(before.registers[field]),
        beforeKnown: before.coverage === null && !before.unknown.includes(field),
        now: { value: stands.v, eventId: stands.id },
        verdict,
        overtakenBy: verdict === "stands" ? null : stands.id,
      },
    ];
  };
  return [
    ...touch.writes.flatMap(({ field, register }) => effectOf(field, register)),
    ...endedBy(touch, before.registers, after, effectOf),
  ];
}

/** Returns what an event ends by having happened, such as the error of a document that is processed after it. */
function endedBy(
  { writes }: Touch,
  before: Registers,
  after: Registers,
  effectOf: (field: string, register: Register) => Effect[],
): Effect[] {
  const [own] = writes;
  const ended = Object.keys(before).filter((field) => !after[field] && !isFree(field));
  return own ? ended.flatMap((field) => effectOf(field, { ...own.register, v: null })) : [];
}

const sideOf = (register: Register | undefined) => (register ? { value: register.v, eventId: register.id } : null);
