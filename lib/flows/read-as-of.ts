import { AppError } from "#lib/contracts/app-error";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewKind, ViewMoments } from "#lib/contracts/views";
import { listLogOf, listMoments } from "#lib/events/resource-log-store";
import { describeType, FAILURE_TYPES } from "#lib/platform/event-catalogue";
import { applyTouch } from "#lib/views/fold";
import { isoOf } from "#lib/views/plan";
import type { Registers } from "#lib/views/register";
import { touchesOf } from "./fold-log.ts";

const EVENTS_FOLDED = 20_000;
const MOMENTS_SHOWN = 400;

/**
 * A moment of the platform's time, Unix seconds, from `?asOf=`.
 *
 * @throws AppError `invalid_request` for what is no moment
 */
export function momentOf(asOf: string): number {
  const at = Math.floor(Date.parse(asOf) / 1000);
  if (Number.isNaN(at)) throw new AppError("invalid_request", "asOf: send a moment in ISO 8601, for example 2026-01-31T12:00:00Z.");
  return at;
}

/** Records as they were, and whether older events than were read would say more. */
export type PastRecords = { records: Map<string, Registers>; partial: boolean };

/**
 * Folds what the log says, up to a moment, of some records of one kind, and
 * with it what the same events say of records of another kind.
 *
 * @param until Unix seconds, inclusive
 * @param into the kind to fold; the records' own unless named
 */
export async function foldAsOf(
  workspaceId: WorkspaceId,
  kind: ViewKind,
  ids: string[],
  until: number,
  into: ViewKind = kind,
): Promise<PastRecords> {
  const events = await listLogOf(workspaceId, kind, ids, until, EVENTS_FOLDED);
  const records = new Map<string, Registers>();
  for (const touch of events.flatMap(touchesOf))
    if (touch.kind === into) records.set(touch.id, applyTouch(records.get(touch.id) ?? {}, touch));
  return { records, partial: events.length === EVENTS_FOLDED };
}

/** The moments at which a record may have changed, oldest first: where a slider may stop. */
export async function readMoments(workspaceId: WorkspaceId, kind: ViewKind, id: string): Promise<ViewMoments> {
  const newest = await listMoments(workspaceId, kind, id, MOMENTS_SHOWN + 1);
  const data = newest.slice(0, MOMENTS_SHOWN).flatMap(({ created, events, types }) => {
    const at = isoOf(created);
    if (at === null) return [];
    return [
      {
        at,
        events,
        titles: types.map((type) => describeType(type)?.title ?? type),
        failed: types.some((type) => FAILURE_TYPES.includes(type)),
      },
    ];
  });
  return { data: data.reverse(), earlier: newest.length > MOMENTS_SHOWN };
}
