import type { WorkspaceId } from "#lib/contracts/api/ids";
import { CLOCK_TOLERANCE_S } from "#lib/contracts/events/event-time";
import type { HistoryCoverage } from "#lib/contracts/events/events";
import { type FoundEvent, findBeside, type Place, readFound } from "#lib/events/log/resource-log-store";
import { inTurn } from "#lib/flows/views/history-turn";
import { touchesOf } from "#lib/flows/views/rebuild/fold-log";
import { listReadings } from "#lib/sources/reading-store";
import { Pauses } from "#lib/time/pauses";
import { modeOf } from "#lib/views/definition/definition";
import { DEFINITIONS } from "#lib/views/definition/definitions";
import { clearingRegister } from "#lib/views/fold/cleared-fields";
import { applyTouch } from "#lib/views/fold/fold";
import type { Touch } from "#lib/views/fold/plan";
import { compareOrder, type Register, type Registers } from "#lib/views/fold/register";

/** Events examined before the event and after it, in the order of receipt. Most of their bodies are not read. */
const MAX_LOOKED = 2000;
/** Events examined first: a busy record's last writers are right before the event. */
const FIRST_LOOK = 50;
const BODIES = 20;

type Options = { place: Place; now: Registers; bytes: number };

/** Returns what earlier events made of the fields that one event writes or ends. Reads backwards until no other event can matter.
 * @param own the event's place in the writers' order @throws AppError `unavailable` when too many histories are being read */
export async function readEarlier(
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
