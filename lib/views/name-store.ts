import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ResourceRef } from "#lib/contracts/events/events";
import { type ViewKind, viewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { DEFINITIONS } from "./definition/definitions.ts";

const LONGEST = 200;

export const nameKey = ({ kind, id }: ResourceRef): string => `${kind}:${id}`;

/** Returns names by `nameKey`. Fields are read only where `words` (the ID, a blank, the name) says that there is a name. */
export async function findNames(workspaceId: WorkspaceId, refs: readonly ResourceRef[]): Promise<Map<string, string>> {
  const wanted = [...new Map(refs.filter(({ kind }) => isKind(kind)).map((ref) => [nameKey(ref), ref])).values()];
  if (wanted.length === 0) return new Map();
  const { rows } = await pool().query<{ kind: string; id: string; name: string | null }>(
    `SELECT v.kind, v.id, left(v.registers->u.f->>'v', ${LONGEST}) AS name FROM views v
       JOIN unnest($2::text[], $3::text[], $4::text[]) AS u(k, i, f)
         ON v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k AND v.workspace_id IS NOT DISTINCT FROM $1
      WHERE v.words LIKE '% %' AND jsonb_typeof(v.registers->u.f->'v') = 'string'`,
    [workspaceId, wanted.map(({ kind }) => kind), wanted.map(({ id }) => id), wanted.map(({ kind }) => fieldOf(kind))],
  );
  return new Map(rows.flatMap(({ kind, id, name }) => (name ? [[nameKey({ kind, id }), name] as const] : [])));
}

const isKind = (kind: string): kind is ViewKind => viewKind.options.some((option) => option === kind);
const fieldOf = (kind: string): string => (isKind(kind) ? (DEFINITIONS[kind].label[0] ?? "") : "");
