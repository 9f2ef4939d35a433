import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { ViewFilter } from "#lib/contracts/list-filters";
import type { ViewKind, ViewQuery, ViewRecord } from "#lib/contracts/views";
import { countCapped } from "#lib/db/bounded-query";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/sql-values";
import type { Registers } from "./fold/register.ts";
import { storedRecordOf } from "./stored-record.ts";

type Row = { id: string; registers: Registers; last_created: number };

/** A task's assignee, or its team. The index views_assignee_idx is of this expression. */
const ASSIGNEE = "coalesce(registers->'assignee'->>'v', registers->'team'->>'v')";

const CONDITIONS: FilterConditions<ViewFilter> = {
  q: (q, bind) => `words LIKE ${bind(`%${q.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`)}`,
  state: (state, bind) => `state = ${bind(state)}`,
  failed: (failed, bind) => `failed = ${bind(failed)}`,
  parent: (parent, bind) => `parent = ${bind(parent)}`,
  stage: (stage, bind) => `stage = ${bind(stage)}`,
  assignee: (assignee, bind) => `${ASSIGNEE} = ${bind(assignee)}`,
  active: (active) => (active ? "state <> 'completed'" : "state = 'completed'"),
};

const CURSOR = new Cursor("views", { last_created: "integer", id: "id" });

/** `q` matches IDs and names. */
export async function listViews(workspaceId: WorkspaceId, kind: ViewKind, query: ViewQuery): Promise<Page<ViewRecord>> {
  const { limit, cursor, order = "desc", ...filter } = query;
  const oldestFirst = order === "asc";
  // Both ways are one walk of the same index.
  const [direction, ids] = oldestFirst ? ["", " DESC"] : [" DESC", ""];
  const { values, bind } = new SqlValues(workspaceId, kind);
  const sql = ["workspace_id = $1", "kind = $2", ...conditionsOf(CONDITIONS, filter, bind)];
  const of = { kind, ...filter, ...(oldestFirst && { order }) };
  const after = CURSOR.decode(cursor, of);
  if (after) {
    // Not one OR: the first half bounds the index, the second only sorts out equals.
    const at = bind(after.last_created);
    const id = bind(after.id);
    sql.push(
      oldestFirst
        ? `last_created >= ${at} AND (last_created > ${at} OR id < ${id})`
        : `last_created <= ${at} AND (last_created < ${at} OR id > ${id})`,
    );
  }
  // The keys first, out of an index alone; then the records of that page.
  const { rows } = await pool().query<Row>(
    `WITH page AS MATERIALIZED (
       SELECT id, last_created FROM views WHERE ${sql.join(" AND ")} ORDER BY last_created${direction}, id${ids} LIMIT ${limit + 1})
     SELECT p.id, v.registers, p.last_created FROM page p
     JOIN views v ON v.id = p.id AND v.kind IS NOT DISTINCT FROM $2 AND v.workspace_id IS NOT DISTINCT FROM $1
     ORDER BY p.last_created${direction}, p.id${ids}`,
    values,
  );
  return {
    data: rows.slice(0, limit).map((row) => storedRecordOf(kind, row.id, row.registers)),
    nextCursor: CURSOR.next(rows, limit, of),
  };
}

const MAX_COUNTED = 10_001;

export async function countViews(workspaceId: WorkspaceId, kind: ViewKind, filter: ViewFilter): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, kind);
  const sql = ["workspace_id = $1", "kind = $2", ...conditionsOf(CONDITIONS, filter, bind)];
  return countCapped(pool(), `SELECT 1 FROM views WHERE ${sql.join(" AND ")}`, values, MAX_COUNTED);
}

/** Counts children by parent's ID and state, for a page of parents by one query; a parent without children is missing. */
export async function countByParent(
  workspaceId: WorkspaceId,
  childKind: ViewKind,
  parents: string[],
): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  if (parents.length === 0) return counts;
  const { rows } = await pool().query<{ parent: string; state: string; n: number }>(
    `SELECT parent, state, count(*) AS n FROM views
     WHERE workspace_id = $1 AND kind = $2 AND parent = ANY($3::text[]) GROUP BY parent, state ORDER BY parent, state`,
    [workspaceId, childKind, parents],
  );
  for (const { parent, state, n } of rows) counts.set(parent, { ...counts.get(parent), [state]: n });
  return counts;
}
