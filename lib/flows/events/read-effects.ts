import { CLOCK_TOLERANCE_S } from "#lib/contracts/api/bounds";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Effect, EventDetail, HistoryCoverage } from "#lib/contracts/events/events";
import { type FoundEvent, findBeside, type Place, readFound } from "#lib/events/log/resource-log-store";
import { planFor } from "#lib/flows/processing/plan-delivery";
import { touchesOf } from "#lib/flows/views/fold-log";
import { HISTORY_BYTES, inTurn } from "#lib/flows/views/read-as-of";
import type { SourceReading } from "#lib/platform/read-event";
import { listReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/waits";
import { baseAt, withBase } from "#lib/views/base";
import { findBase } from "#lib/views/base-store";
import { DEFINITIONS, modeOf } from "#lib/views/definitions";
import { applyTouch } from "#lib/views/fold/fold";
import type { FoldableEvent, Touch } from "#lib/views/fold/plan";
import { compareOrder, type Register, type Registers } from "#lib/views/fold/register";
import { clearingRegister, isFree } from "#lib/views/fold/settled-fields";
import { findRegisters, viewKeyText } from "#lib/views/view-store";

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

/** Events examined before the event and after it, in the order of receipt. Most of their bodies are not read. */
const MAX_LOOKED = 2000;
/** Events examined first: a busy record's last writers are right before the event. */
const FIRST_LOOK = 50;
const BODIES = 20;

type Options = { place: Place; now: Registers; bytes: number };

/** Returns what earlier events made of the fields that one event writes or ends. Reads backwards until no other event can matter.
 * @param own the event's place in the writers' order @throws AppError `unavailable` when too many histories are being read */
async function readEarlier(
  workspaceId: WorkspaceId,
  touch: Touch,
  own: Register,
  { place, now, bytes }: Options,
): Promise<{ registers: Registers; coverage: HistoryCoverage | null }> {
  const { kind, id } = touch;
  let registers: Registers = {};
  const fields = fieldsOf(touch, now);
  if (fields.length === 0) return { registers, coverage: null };
  const isSettled = (at: number) => fields.every((field) => isKnown(touch, registers, field, at));
  const readings = await listReadings(workspaceId);
  const log = { kind, ref: id, until: own.at };
  const pauses = new Pauses();
  let [read, left] = [1, bytes];

  const fold = async (events: FoundEvent[]) => {
    for (const event of await readFound(events)) {
      for (const each of touchesOf(event, readings)) {
        const writer = each.writes[0]?.register;
        if (each.kind === kind && each.id === id && writer && compareOrder(writer, own) < 0) registers = applyTouch(registers, each);
      }
      await pauses.afterPiece();
    }
    read += events.length;
  };

  /** Reads the latest first, and returns those that were not read. */
  const foldLatest = async (found: FoundEvent[]): Promise<FoundEvent[]> => {
    const unread = found.filter(({ seq }) => seq !== place.seq).sort((a, b) => b.at - a.at);
    while (unread[0] && left > 0 && !isSettled(unread[0].at)) {
      const next = unread.splice(0, sizeOf(unread, left));
      left -= next.reduce((sum, event) => sum + event.bytes, 0);
      await fold(next);
      if (unread[0] && unread[0].bytes > left) left = 0;
    }
    return unread;
  };

  return inTurn(async () => {
    const after = await findBeside(workspaceId, log, place, "after", MAX_LOOKED);
    let before = await findBeside(workspaceId, log, place, "before", FIRST_LOOK);
    let unread = await foldLatest([...after.events, ...before.events]);
    if (before.last && !isSettled(latestBefore(before.last))) {
      before = await findBeside(workspaceId, log, before.last, "before", MAX_LOOKED - FIRST_LOOK);
      unread = await foldLatest([...unread, ...before.events]);
    }
    const isRead = unread[0] === undefined || isSettled(unread[0].at);
    const isWhole = isRead && after.last === null && (before.last === null || isSettled(latestBefore(before.last)));
    const more = after.last !== null || before.last !== null;
    return { registers, coverage: isWhole ? null : { read, total: read + unread.length, more } };
  });
}

/** Returns the fields whose value before the event is shown. Where the first writer wins, the record itself says it. */
function fieldsOf({ kind, writes }: Touch, now: Registers): string[] {
  const definition = DEFINITIONS[kind];
  const open = writes.filter(({ field, register }) => {
    const stands = now[field];
    return modeOf(definition, field) === "last" || (stands !== undefined && compareOrder(stands, register) > 0);
  });
  return [...new Set([...open.map(({ field }) => field), ...Object.values(definition.types).flatMap(({ clears = [] }) => clears)])];
}

/** True if no event up to that time (Unix seconds) can have written or ended the field later than the writer found. */
function isKnown({ kind }: Touch, registers: Registers, field: string, at: number): boolean {
  const definition = DEFINITIONS[kind];
  const found = registers[field] ?? clearingRegister(definition, registers, field);
  if (!found || found.at <= at) return false;
  // A final state wins whenever it came.
  return field !== "state" || definition.terminal.length === 0 || definition.terminal.includes(String(found.v));
}

/** Returns the latest time (Unix seconds) of an event received before a place: none counts as later than its receipt allows. */
const latestBefore = ({ receivedAt }: Place) => Math.floor(receivedAt.getTime() / 1000) + CLOCK_TOLERANCE_S;

/** Returns how many events to read at once: at least one, within the bytes left. */
function sizeOf(events: FoundEvent[], left: number): number {
  let bytes = 0;
  const end = events.findIndex((event, index) => {
    bytes += event.bytes;
    return index > 0 && (index >= BODIES || bytes > left);
  });
  return end === -1 ? events.length : end;
}
