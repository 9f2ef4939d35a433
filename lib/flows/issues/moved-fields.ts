import { sourceId as toSourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { MovedField } from "#lib/contracts/issues";
import { pool } from "#lib/db/pool";
import { compareRefs } from "#lib/event-types/merge";
import { ROOT, type SchemaTree } from "#lib/event-types/schema";
import { findSchemas, schemaIdOf } from "#lib/event-types/schema-store";
import { FIELD_NAMES } from "#lib/platform/field-names";
import { requiredId } from "#lib/views/definitions";

type Place = { type: string; sourceId: string };

/** Finds where the IDs of event types moved, as far as their learnt schemas know. @returns by what `placeKey` makes of a place */
export async function findMovedIds(workspaceId: WorkspaceId, places: Place[]): Promise<Map<string, MovedField>> {
  const ids = places.map(({ type, sourceId }) => schemaIdOf({ workspaceId, sourceId: toSourceId.parse(sourceId), type, variant: "" }));
  const schemas = ids.length === 0 ? [] : await findSchemas([...new Set(ids)], pool());
  return new Map(
    schemas.flatMap(({ type, sourceId, tree }) => {
      const moved = movedIn(tree, (requiredId(type)?.facts ?? []).flatMap(pathsOf));
      return moved ? [[placeKey({ type, sourceId }), moved] as const] : [];
    }),
  );
}

export const placeKey = ({ type, sourceId }: Place): string => `${sourceId} ${type}`;

const pathsOf = (fact: keyof typeof FIELD_NAMES) => FIELD_NAMES[fact].map((name) => `${ROOT}.${name}`);

/** Part of the events without the old field that have the new one. */
const MOST = 0.9;
const MAX_NAMED = 3;

/** Finds the last of the paths that is no longer sent, and the texts and numbers that came in its place. Pure. */
export function movedIn({ fields }: SchemaTree, paths: readonly string[]): MovedField | null {
  const [old] = paths.flatMap((path) => (fields[path] ? [{ path, ...fields[path] }] : [])).sort((a, b) => compareRefs(b.last, a.last));
  const root = fields[ROOT];
  if (!old || !root) return null;
  const without = (root.objects ?? root.n) - old.n;
  const to = Object.entries(fields).flatMap(([path, { n, types, first }]) =>
    (types.string || types.number) && !/[[*]/.test(path) && compareRefs(first, old.last) > 0 && n >= without * MOST ? [path] : [],
  );
  return to.length === 0 ? null : { from: old.path, to: to.slice(0, MAX_NAMED) };
}
