import type { Effect } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { listLogOf } from "#lib/events/resource-log-store";
import { modeOf } from "#lib/views/definition";
import { DEFINITIONS } from "#lib/views/definitions";
import { applyTouch } from "#lib/views/fold";
import { type FoldableEvent, planEvent, type Touch } from "#lib/views/plan";
import { compareOrder, type Register, type Registers } from "#lib/views/register";
import { findRegisters, viewKeyText } from "#lib/views/view-store";
import { touchesOf } from "./fold-log.ts";

/** A record with more events up to then is not folded again only to show one of them. */
const MOST_EVENTS = 2000;

/**
 * What an event did to the views, field by field: before it, with it, and now.
 * Nothing of this is stored; it is the difference of two folds.
 */
export async function readEffects(workspaceId: WorkspaceId, event: FoldableEvent): Promise<Effect[]> {
  const plan = planEvent(event);
  if (plan.outcome !== "touches" || plan.touches.length === 0) return [];
  const standing = await findRegisters(plan.touches.map(({ kind, id }) => ({ workspaceId, kind, id })));
  const effects = plan.touches.map(async (touch) => {
    const now = standing.get(viewKeyText({ workspaceId, kind: touch.kind, id: touch.id }));
    return now ? effectsOf(touch, await readBefore(workspaceId, touch, event), now) : [];
  });
  return (await Promise.all(effects)).flat();
}

type Before = { registers: Registers; known: boolean };

/** The record as everything that comes before the event in the writers' order made it. */
async function readBefore(workspaceId: WorkspaceId, { kind, id, writes }: Touch, { created }: FoldableEvent): Promise<Before> {
  const own = writes[0]?.register;
  const events = await listLogOf(workspaceId, kind, [id], created, MOST_EVENTS);
  const earlier = events
    .flatMap(touchesOf)
    .filter((touch) => touch.kind === kind && touch.id === id && own && isEarlier(touch.writes[0]?.register, own));
  return { registers: earlier.reduce<Registers>(applyTouch, {}), known: events.length < MOST_EVENTS };
}

const isEarlier = (writer: Register | undefined, than: Register) => writer !== undefined && compareOrder(writer, than) < 0;

function effectsOf(touch: Touch, before: Before, now: Registers): Effect[] {
  const after = applyTouch(before.registers, touch);
  return touch.writes.flatMap(({ field, register }): Effect[] => {
    const stands = now[field];
    if (!stands) return [];
    const verdict = stands.id === register.id ? "stands" : after[field]?.id === register.id ? "overtaken" : "passed_over";
    // Not to have been the first is no effect.
    if (verdict === "passed_over" && modeOf(DEFINITIONS[touch.kind], field) === "first") return [];
    return [
      {
        kind: touch.kind,
        resourceId: touch.id,
        field,
        value: register.v,
        before: sideOf(before.registers[field]),
        beforeKnown: before.known,
        now: { value: stands.v, eventId: stands.id },
        verdict,
        overtakenBy: verdict === "stands" ? null : stands.id,
      },
    ];
  });
}

const sideOf = (register: Register | undefined) => (register ? { value: register.v, eventId: register.id } : null);
