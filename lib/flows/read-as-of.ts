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

/** Records as they were, by kind and id, and whether older events than were read would say more. */
export type PastRecords = {
  find: (kind: ViewKind, id: string) => Registers | null;
  list: (kind: ViewKind) => [id: string, Registers][];
  partial: boolean;
};

/**
 * Folds the events that speak of some records of one kind and were created up
 * to a moment: into those records, and into whatever else the same events touch.
 *
 * @param until Unix seconds, inclusive
 */
export async function foldAsOf(workspaceId: WorkspaceId, kind: ViewKind, ids: string[], until: number): Promise<PastRecords> {
  const events = ids.length === 0 ? [] : await listLogOf(workspaceId, kind, ids, until, EVENTS_FOLDED);
  const records = new Map<ViewKind, Map<string, Registers>>();
  for (const touch of events.flatMap(touchesOf)) {
    const ofKind = records.get(touch.kind) ?? new Map<string, Registers>();
    records.set(touch.kind, ofKind.set(touch.id, applyTouch(ofKind.get(touch.id) ?? {}, touch)));
  }
  return {
    find: (wanted, id) => records.get(wanted)?.get(id) ?? null,
    list: (wanted) => [...(records.get(wanted) ?? [])],
    partial: events.length === EVENTS_FOLDED,
  };
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
